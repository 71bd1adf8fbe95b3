import t from 'tap'
import { discovery } from '../../bin/promises/discovery.ts'
import { serveLibrary, generationOf, library, serveGeneration } from '../support/serve-root.ts'
import { subjectOf } from '../support/subject.ts'

/** Over the real roots, the fixture root alone, and both together. */
const roots: readonly (readonly string[])[] = [['.'], [library], ['.', library]]

for (const names of roots) {
  t.test(
    `each surface of ${names.join(' + ')} appears exactly once in manifest, status, tools and OpenAPI`,
    async t => {
      const { get, registry } = await serveGeneration(t, await generationOf(t, names))
      t.strictSame(await discovery.broken(subjectOf(registry, get)), [])
    }
  )
}

t.test('llms.txt names every group of the index', async t => {
  const { get, registry } = await serveLibrary(t)
  const text = await (await get('/llms.txt')).text()
  for (const { title, surfaces } of registry.service.index) {
    t.match(text, `## ${title}`)
    for (const id of surfaces) t.match(text, registry.byId.get(id)?.route.path ?? id)
  }
})
