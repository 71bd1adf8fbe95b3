import { definePage, Type } from 'pantry/page'
import { isFound } from '../pages/find.ts'

const Text = Type.String()
const Explorer = Type.Object({
  count: Type.Integer(),
  areas: Type.Array(Type.Object({
    area: Text, meaning: Text,
    surfaces: Type.Array(Type.Object({ name: Text, path: Text, methods: Type.Array(Text), summary: Text, parameters: Type.Array(Text), paused: Type.Boolean() }))
  }))
})

export default definePage({
  query: Type.Object({ q: Type.Optional(Type.String({ maxLength: 100, description: 'Words of what a surface does, of its path or of its parameters.' })) }),
  shows: { explorer: Explorer },
  view: ({ shown: { explorer: { areas, count } }, query: { q = '' } }) => {
    const found = areas.map(area => ({ ...area, surfaces: area.surfaces.filter(surface => isFound(q, surface)) })).filter(({ surfaces }) => surfaces.length > 0)
    return {
      title: 'Explore the API',
      scripts: ['explore.js'],
      main: (
        <>
          <p class="lead">{count} surfaces, each with a form that runs it. They answer everyone; no key is needed to look.</p>
          <form class="search" method="get" role="search">
            <label>What should it do? <input type="search" name="q" value={q} maxLength={100} autocomplete="off" placeholder="status, examples …" /></label>
            <button type="submit">Find</button>
          </form>
          <p role="status" class="none" data-none hidden={found.length > 0}>No surface has these words. Try fewer of them.</p>
          {found.map(({ area, meaning, surfaces }) => (
            <section data-area>
              <h2 id={area}>{area}</h2>
              {meaning !== '' && <p>{meaning}</p>}
              <ul class="surfaces">
                {surfaces.map(({ name, path, methods, summary, parameters, paused }) => (
                  <li data-words={parameters.join(' ')}><a href={`/explore/${name}`}>{summary}</a> <code>{methods.join(', ')} {path}</code>{paused && <strong> paused</strong>}</li>
                ))}
              </ul>
            </section>
          ))}
        </>
      )
    }
  }
})
