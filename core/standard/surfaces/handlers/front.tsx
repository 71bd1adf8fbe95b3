import { basePathOf, fill, Text } from 'pantry/data'
import { definePage, Type } from 'pantry/page'

const Explorer = Type.Object({
  count: Type.Integer(),
  areas: Type.Array(Type.Object({ area: Text, meaning: Text, surfaces: Type.Array(Type.Object({ path: Text })) }))
})

/** The front page of a service that does not declare one itself. */
export default definePage({
  shows: { explorer: Explorer },
  texts: {
    ask: 'What do you want to know?',
    find: 'Find',
    answers: 'What it answers',
    one: '1 surface',
    many: '{count} surfaces',
    tried: 'Each can be tried here',
    programs: 'For programs',
    forModels: 'A text for language models',
    tools: 'tools (JSON)',
    all: 'all surfaces (JSON)',
    state: 'How it is doing (JSON)',
    contact: 'Questions and corrections:'
  },
  view: ({ shown: { explorer }, service, pathTo, texts }) => {
    const counted = (count: number): string => fill(count === 1 ? texts.one : texts.many, { count })
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
              {texts.ask} <input type="search" name="q" maxLength={100} />
            </label>
            <button type="submit">{texts.find}</button>
          </form>
          <h2>{texts.answers}</h2>
          <p>
            {counted(explorer.count)}. <a href="/explore">{texts.tried}</a>.
          </p>
          <ul class="tiles">
            {explorer.areas.map(({ area, meaning, surfaces }) => (
              <li>
                <h3>
                  <a href={`/explore#${area}`}>{area}</a>
                </h3>
                {meaning !== '' && <p>{meaning}</p>}
                <p class="note">{counted(surfaces.length)}</p>
              </li>
            ))}
          </ul>
          <h2>{texts.programs}</h2>
          <ul>
            {isServed('/llms.txt') && (
              <li>
                <a href="/llms.txt">{texts.forModels}</a>
              </li>
            )}
            <li>
              <a href={pathTo('openapi')}>OpenAPI (JSON)</a>,{' '}
              {isServed('/api/v1/tools') && (
                <>
                  <a href="/api/v1/tools">{texts.tools}</a>,{' '}
                </>
              )}
              <a href={pathTo('manifest')}>{texts.all}</a>
            </li>
            <li>
              <a href={pathTo('status')}>{texts.state}</a>
            </li>
          </ul>
          <p>
            {texts.contact} <a href={`mailto:${service.contact.email}`}>{service.contact.email}</a>
          </p>
        </>
      )
    }
  }
})
