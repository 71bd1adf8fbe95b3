import { definePage } from 'pantry/page'
import { Terms } from '../../people/schemas.ts'

export default definePage({
  shows: { terms: Terms },
  view: ({
    shown: {
      terms: { version, title, summary, operator, sections }
    }
  }) => ({
    title,
    main: (
      <>
        <p class="lead">{summary}</p>
        <p>
          They hold since <time dateTime={version}>{version}</time>. Whoever runs this service answers for it:{' '}
          <a href={`mailto:${operator}`}>{operator}</a>.
        </p>
        {sections.map(({ title: about, text }) => (
          <section>
            <h2>{about}</h2>
            <p>{text}</p>
          </section>
        ))}
        <p>
          <a href="/privacy">What is kept of people, and for what</a>
        </p>
      </>
    )
  })
})
