import Type from 'typebox'
import t from 'tap'
import { mirrorDocument } from '../../../core/contract/math-mirror.ts'
import { defineHandlerFor } from '../../../core/handler/handler.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { serveGeneration } from '../../support/serve-root.ts'

const tree = {
  path: '/api/v1/tree',
  contract: 'math-mirror' as const,
  more: 'formats: [json, html, txt]',
  handler: defineHandlerFor()({
    reply: Type.Object({}, { additionalProperties: true }),
    handle: () => ({
      mirror: mirrorDocument({
        encoding: 'trees/universal/v1',
        kind: 'tree',
        seed: 'oak',
        body: { name: 'Oak', height: 21 },
        sources: ['self'],
        sourceLicense: ['cc0-1.0']
      })
    })
  })
}

t.test('a structural document is canonical in JSON alone; other formats show what it holds', async t => {
  const { get } = await serveGeneration(t, handlerGeneration(t, { tree }))
  const canonical = await get('/api/v1/tree')
  t.match(canonical.headers.get('content-type'), /^application\/json/)
  t.match(await canonical.json(), { '@kind': 'tree', '@self_hash': String, name: 'Oak' })
  for (const [format, mediaType] of [
    ['html', 'text/html'],
    ['txt', 'text/plain']
  ] as const) {
    const answer = await get(`/api/v1/tree?format=${format}`)
    t.ok(answer.headers.get('content-type')?.startsWith(mediaType), format)
    t.match(await answer.text(), /Oak/, format)
  }
})
