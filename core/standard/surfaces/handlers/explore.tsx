import { counted } from 'pantry/data'
import { definePage, Type } from 'pantry/page'

type Searched = Readonly<{ path: string; summary: string; parameters: readonly string[] }>

/**
 * Returns the text that a search looks through, in lower case: summary, path, parameters and area of a surface. The
 * script `explore.js` reads it from the page.
 */
const searchedText = (area: string, { path, summary, parameters }: Searched): string =>
  [summary, path, ...parameters, area].join(' ').toLowerCase()

/**
 * Whether a text contains all words of a search, also as parts of words; case is ignored. The script has the same rule.
 */
const isFound = (q: string, text: string): boolean =>
  q
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))

const Text = Type.String()
const Explorer = Type.Object({
  count: Type.Integer(),
  areas: Type.Array(
    Type.Object({
      area: Text,
      meaning: Text,
      surfaces: Type.Array(
        Type.Object({
          name: Text,
          path: Text,
          methods: Type.Array(Text),
          summary: Text,
          parameters: Type.Array(Text),
          only_for: Type.Union([Text, Type.Null()]),
          paused: Type.Boolean()
        })
      )
    })
  )
})

export default definePage({
  query: Type.Object({
    q: Type.Optional(
      Type.String({ maxLength: 100, description: 'Words of what a surface does, of its path or of its parameters.' })
    )
  }),
  shows: { explorer: Explorer },
  view: ({
    shown: {
      explorer: { areas, count }
    },
    query: { q = '' }
  }) => {
    // Surfaces that do not match are hidden, not left out, so that the script can show them when the search changes.
    const all = areas.map(area => {
      const surfaces = area.surfaces
        .map(surface => ({ ...surface, text: searchedText(area.area, surface) }))
        .map(surface => ({ ...surface, isFound: isFound(q, surface.text) }))
      return { ...area, surfaces, hasFound: surfaces.some(one => one.isFound) }
    })
    return {
      title: 'Explore the API',
      scripts: ['explore.js'],
      main: (
        <>
          <p class="lead">
            {counted(count, 'surface')}. What reads, and what computes from what is sent, runs here; for the rest there
            are calls to copy. No key is needed to look.
          </p>
          <form class="search" method="get" role="search">
            <label>
              What should it do?{' '}
              <input
                type="search"
                name="q"
                value={q}
                maxLength={100}
                autocomplete="off"
                placeholder="status, examples …"
              />
            </label>
            <button type="submit">Find</button>
          </form>
          <p role="status" class="none" data-none hidden={all.some(({ hasFound }) => hasFound)}>
            No surface has these words. Try fewer of them.
          </p>
          {all.map(({ area, meaning, surfaces, hasFound }) => (
            <section data-area hidden={!hasFound}>
              <h2 id={area}>{area}</h2>
              {meaning !== '' && <p>{meaning}</p>}
              <ul class="surfaces">
                {surfaces.map(({ name, path, methods, summary, text, isFound: isShown, only_for: onlyFor, paused }) => (
                  <li data-text={text} hidden={!isShown}>
                    <a href={`/explore/${name}`}>{summary}</a>{' '}
                    <code>
                      {methods.join(', ')} {path}
                    </code>
                    {onlyFor !== null && <small> for {onlyFor}</small>}
                    {paused && <strong> paused</strong>}
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </>
      )
    }
  }
})
