import { basePathOf, counted, Text } from 'pantry/data'
import { definePage, Type } from 'pantry/page'

const Explorer = Type.Object({
  count: Type.Integer(),
  areas: Type.Array(Type.Object({ area: Text, meaning: Text, surfaces: Type.Array(Type.Object({ path: Text })) }))
})

/** The front page of a service that does not declare one itself. */
export default definePage({
  shows: { explorer: Explorer },
  view: ({ shown: { explorer }, service, pathTo }) => {
    const served = new Set(explorer.areas.flatMap(({ surfaces }) => surfaces.map(({ path }) => path)))
    const isServed = (path: string): boolean => served.has(basePathOf(service.base_url) + path)
    return {
      title: service.name,
      description: service.summary,
      main: (
        <>
          <p class="lead">{service.summary}</p>
          {service.description !== service.summary && <p>{service.description}</p>}
          <form class="search" action="/explore" method="get" role="search">
            <label>
              What do you want to know? <input type="search" name="q" maxLength={100} />
            </label>
            <button type="submit">Find</button>
          </form>
          <h2>What it answers</h2>
          <p>
            {counted(explorer.count, 'surface')}. <a href="/explore">Each can be tried here</a>.
          </p>
          <ul class="tiles">
            {explorer.areas.map(({ area, meaning, surfaces }) => (
              <li>
                <h3>
                  <a href={`/explore#${area}`}>{area}</a>
                </h3>
                {meaning !== '' && <p>{meaning}</p>}
                <p class="note">{counted(surfaces.length, 'surface')}</p>
              </li>
            ))}
          </ul>
          <h2>For programs</h2>
          <ul>
            {isServed('/llms.txt') && (
              <li>
                <a href="/llms.txt">A text for language models</a>
              </li>
            )}
            <li>
              <a href={pathTo('openapi')}>OpenAPI (JSON)</a>,{' '}
              {isServed('/api/v1/tools') && (
                <>
                  <a href="/api/v1/tools">tools (JSON)</a>,{' '}
                </>
              )}
              <a href={pathTo('manifest')}>all surfaces (JSON)</a>
            </li>
            <li>
              <a href={pathTo('status')}>How it is doing (JSON)</a>
            </li>
          </ul>
          <p>
            Questions and corrections: <a href={`mailto:${service.contact.email}`}>{service.contact.email}</a>
          </p>
        </>
      )
    }
  }
})
