import { fill, NullableText, Text, Texts } from 'pantry/data'
import { definePage, Type } from 'pantry/page'

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
          methods: Texts,
          summary: Text,
          parameters: Texts,
          only_for: NullableText,
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
  texts: {
    title: 'Explore the API',
    one: '1 surface',
    many: '{count} surfaces',
    lead: 'What reads, and what computes from what is sent, runs here; for the rest there are calls to copy. No key is needed to look.',
    ask: 'What should it do?',
    example: 'status, examples …',
    find: 'Find',
    none: 'No surface has these words. Try fewer of them.',
    for: 'for {whom}',
    paused: 'paused'
  },
  view: ({ shown: { explorer }, query: { q = '' }, texts }) => {
    const words = q.toLowerCase().split(/\s+/)
    // Surfaces that do not match are hidden, not left out: when the person types, the script `explore.js` searches the
    // same texts by the same rule.
    const areas = explorer.areas.map(({ area, meaning, surfaces: all }) => {
      const surfaces = all.map(surface => {
        const text = [surface.summary, surface.path, ...surface.parameters, area].join(' ').toLowerCase()
        return { ...surface, text, hidden: !words.every(word => text.includes(word)) }
      })
      return { area, meaning, surfaces, hidden: surfaces.every(({ hidden }) => hidden) }
    })
    return {
      title: texts.title,
      scripts: ['explore.js'],
      main: (
        <>
          <p class="lead">
            {fill(explorer.count === 1 ? texts.one : texts.many, { count: explorer.count })}. {texts.lead}
          </p>
          <form class="search" method="get" role="search">
            <label>
              {texts.ask}{' '}
              <input type="search" name="q" value={q} maxLength={100} autocomplete="off" placeholder={texts.example} />
            </label>
            <button type="submit">{texts.find}</button>
          </form>
          <p role="status" class="none" data-none hidden={!areas.every(({ hidden }) => hidden)}>
            {texts.none}
          </p>
          {areas.map(({ area, meaning, surfaces, hidden }) => (
            <details data-area hidden={hidden} open={q !== ''}>
              <summary>
                <h2 id={area}>{area}</h2> {surfaces.length}
                {meaning !== '' && <small>: {meaning}</small>}
              </summary>
              <ul class="surfaces">
                {surfaces.map(surface => (
                  <li data-text={surface.text} hidden={surface.hidden}>
                    <a href={`/explore/${surface.name}`}>{surface.summary}</a>{' '}
                    <code>
                      {surface.methods.join(', ')} {surface.path}
                    </code>
                    {surface.only_for !== null && <small> {fill(texts.for, { whom: surface.only_for })}</small>}
                    {surface.paused && <strong> {texts.paused}</strong>}
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </>
      )
    }
  }
})
