import { counted } from 'pantry/data'
import { definePage } from 'pantry/page'
import { GuideIndex } from '../../pages/schemas.ts'

export default definePage({
  shows: { index: GuideIndex },
  view: ({
    shown: {
      index: { guides }
    },
    service
  }) => ({
    title: 'For developers',
    main: (
      <>
        <p class="lead">
          These pages are made from the answers of an HTTP API. The foot of each page links to the answers that it
          shows.
        </p>
        <ul class="tiles">
          <li>
            <h2>Try it</h2>
            <p>
              <a href="/explore">The explorer</a> lists every surface with its examples, sends requests, and shows them
              for the command line, JavaScript and Python.
            </p>
          </li>
          <li>
            <h2>Read it by program</h2>
            <p>
              <a href="/api/openapi.json">OpenAPI (JSON)</a>, <a href="/api/v1/manifest">the manifest (JSON)</a>,{' '}
              <a href="/api/v1/tools">tools for models (JSON)</a>, <a href="/llms.txt">a text for language models</a>,
              and <a href="/api/v1/changelog">what changed (JSON)</a>.
            </p>
          </li>
          <li>
            <h2>Connect an agent</h2>
            <p>
              A signed-in person makes a key for an agent <a href="/account/agents">under the account</a>.{' '}
              <a href="/api/v1/dear-agents">A letter to agents (JSON)</a> says what holds for them.
            </p>
          </li>
          <li>
            <h2>Ask</h2>
            <p>
              <a href={`mailto:${service.contact.email}`}>{service.contact.email}</a>
            </p>
          </li>
        </ul>
        <h2>Guides</h2>
        <ul>
          {guides.map(({ slug, title, subtitle, estimated_minutes: minutes }) => (
            <li>
              <a href={`/guides/${slug}`}>{title}</a>: {subtitle} <small>{counted(minutes, 'minute')}</small>
            </li>
          ))}
        </ul>
      </>
    )
  })
})
