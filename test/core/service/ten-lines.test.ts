import { readFileSync } from 'node:fs'
import t from 'tap'
import { compileSchema } from '../../../core/schema/compile.ts'
import { metaFields } from '../../../core/vocabulary/words.ts'
import { requestOf } from '../../../bin/promises/examples.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const trees = 'test/fixture/trees'

t.test('a service of ten lines answers everything that the framework gives to a service', async t => {
  t.ok(readFileSync(`${trees}/manifests/service.yaml`, 'utf8').trim().split('\n').length <= 10)
  const faults: unknown[] = []
  const { get, registry } = await serveGeneration(t, await generationOf(t, [trees], { faults }))
  for (const { id, contract, formats, route, output, examples } of registry.surfaces) {
    const asked =
      examples.length > 0
        ? examples.map(example => ({ url: example.url, request: requestOf(example), expect: example.expect }))
        : [{ url: route.path, request: {}, expect: { status: 200 } }]
    for (const { url, request, expect } of asked) {
      const response = await get(url, request)
      t.equal(response.status, expect.status, url)
      if (formats[0] !== 'json' || url.includes('format=') || response.status !== 200) continue
      const body = (await response.json()) as Record<string, unknown>
      t.same(
        compileSchema(output)(contract === 'bare' ? body : body['data']),
        [],
        `${id} has the shape that OpenAPI publishes`
      )
      if (contract === 'envelope')
        t.strictSame(
          Object.keys(body['_meta'] as object),
          [...metaFields],
          `${id} carries the members of the framework and no other`
        )
    }
  }
  t.same(faults, [])
})

t.test('what it leaves out has a sane form', async t => {
  const {
    get,
    registry: { service }
  } = await serveGeneration(t, await generationOf(t, [trees]))
  const root = await get('/api/v1/')
  t.match(service, {
    version: '0.1.0',
    encoding: 'city-trees/universal/v1',
    description: service.summary,
    agents: { model_name: 'city_trees' },
    envelope: {}
  })
  for (const [, target = '', rel = ''] of (root.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([^" ]*)/g))
    t.equal((await get(target)).status, 200, rel)
  t.match(root.headers.get('link'), /rel="self".*rel="start".*rel="describedby".*rel="alternate"/)
  const { data } = (await root.json()) as { data: Record<string, unknown> }
  t.match(
    data,
    { street_trees: { trees: { url: '/api/v1/trees' } }, orientation: { manifest: { url: '/api/v1/manifest' } } },
    'its own surfaces come first, by tag'
  )
  t.match(
    await (await get('/llms.txt')).text(),
    /^# Trees of the City\n\n> Which trees[^\n]*\n[\s\S]*## Street trees\n\n- \[\/api\/v1\/trees\][\s\S]*## Finding your way\n/
  )
  const missing = await get('/api/v1/tree')
  t.match(await missing.json(), {
    data: {
      suggestions: { did_you_mean: ['/api/v1/trees'], manifest: '/api/v1/manifest', openapi: '/api/openapi.json' }
    }
  })
  const manifest = (await (await get('/api/v1/manifest')).json()) as Record<string, unknown>
  t.notOk('embassy' in manifest, 'what another service adds to a document is not there')
})
