import { Text } from 'pantry/data'
import { definePage, Type } from 'pantry/page'

const Guides = Type.Object({
  welcome: Text,
  guides: Type.Array(
    Type.Object({
      slug: Text,
      title: Text,
      subtitle: Text,
      estimated_minutes: Type.Integer(),
      step_count: Type.Integer(),
      audiences: Type.Array(Text)
    })
  )
})

export default definePage({
  shows: { index: Guides },
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
                {minutes} minutes, {steps} steps
              </p>
            </li>
          ))}
        </ol>
      </>
    )
  })
})
