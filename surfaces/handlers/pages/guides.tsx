import { counted, NullableText, Text, Texts } from 'pantry/data'
import { definePage, Type } from 'pantry/page'
import { ReadMore } from '../../pages/lists.tsx'
import { GuideIndex } from '../../pages/schemas.ts'

export default definePage({
  shows: { index: GuideIndex },
  view: ({
    shown: {
      index: { welcome, guides }
    }
  }) => ({
    title: 'Guides',
    main: (
      <>
        <p class="lead">{welcome}</p>
        <ol class="tiles">
          {guides.map(({ slug, title, subtitle, estimated_minutes: minutes, step_count: steps }) => (
            <li>
              <h2>
                <a href={`/guides/${slug}`}>{title}</a>
              </h2>
              <p>{subtitle}</p>
              <p class="note">
                {counted(minutes, 'minute')}, {counted(steps, 'step')}
              </p>
            </li>
          ))}
        </ol>
      </>
    )
  })
})

const Guide = Type.Object({
  guide: Type.Object({
    title: Text,
    subtitle: Text,
    intro: Text,
    prerequisites: Texts,
    estimated_minutes: Type.Integer(),
    steps: Type.Array(Type.Object({ title: Text, instruction: Text, curl: NullableText, what_to_look_for: Text })),
    gotchas: Type.Array(Type.Object({ title: Text, description: Text, fix: Text })),
    next_guide_slug: NullableText,
    see_also: Type.Array(Type.Object({ label: Text, href: Text })),
    last_verified: Text
  })
})

export const guide = definePage({
  shows: { guide: Guide },
  view: ({
    shown: {
      guide: { guide }
    }
  }) => ({
    title: guide.title,
    scripts: ['copy.js'],
    crumbs: [{ label: 'Guides', path: '/guides' }],
    main: (
      <>
        <p class="lead">{guide.subtitle}</p>
        <p>{guide.intro}</p>
        {guide.prerequisites.length > 0 && (
          <>
            <h2>What you need</h2>
            <ul>
              {guide.prerequisites.map(one => (
                <li>{one}</li>
              ))}
            </ul>
          </>
        )}
        <h2>Steps</h2>
        <ol class="steps">
          {guide.steps.map(({ title, instruction, curl, what_to_look_for: look }) => (
            <li>
              <h3>{title}</h3>
              <p>{instruction}</p>
              {curl !== null && (
                <pre tabIndex={0} aria-label="Command">
                  <code>{curl}</code>
                </pre>
              )}
              <p class="note">{look}</p>
            </li>
          ))}
        </ol>
        {guide.gotchas.length > 0 && <h2>When it goes otherwise</h2>}
        {guide.gotchas.map(({ title, description, fix }) => (
          <details>
            <summary>{title}</summary>
            <p>{description}</p>
            <p>{fix}</p>
          </details>
        ))}
        <ReadMore links={guide.see_also} />
        {guide.next_guide_slug !== null && (
          <p>
            <a href={`/guides/${guide.next_guide_slug}`}>The next guide</a>
          </p>
        )}
        <p class="note">
          Its commands did what it says on {guide.last_verified}; it takes about{' '}
          {counted(guide.estimated_minutes, 'minute')}.
        </p>
      </>
    )
  })
})
