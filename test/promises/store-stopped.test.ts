// test: slow.
import t from 'tap'
import { usesStores } from '../../core/discovery/pointers.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { ask } from '../support/same-answers.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'

/** A seal, a mood or a moment makes these differ from call to call. */
const everNew = /practice|uptime/

t.test('without its store every surface answers as with it, or says that it cannot, in one way', async t => {
  const { url } = await bundledDatabase(t)
  const faults: unknown[] = []
  const running = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url, faults }))
  const stopped = await serveGeneration(
    t,
    await generationOf(t, ['.'], { databaseUrl: 'postgresql://nobody@127.0.0.1:1/none', faults, isAway: true })
  )
  let unavailable = 0
  for (const surface of running.registry.surfaces) {
    const { id, examples, route, formats } = surface
    const example = examples.find(({ method, expect }) => method === 'GET' && expect.status < 500)
    if (!route.methods.includes('GET') || example === undefined || everNew.test(id)) continue
    const [before, after] = [await ask(running, example.url), await ask(stopped, example.url)]
    if (usesStores(surface) && after.status === 503) {
      unavailable += 1
      if (formats[0] === 'html') t.match(after.text, 'Status 503.', id)
      else t.match(JSON.parse(after.text), { error: { code: 'SOURCE_UNAVAILABLE', status: 503 } }, id)
    } else if (!usesStores(surface) && id !== 'health' && id !== 'status') {
      t.same(after, before, id)
    }
  }
  t.ok(unavailable > 20, `${unavailable} surfaces read the store`)
  t.strictSame(faults, [], 'no fault was met')
})
