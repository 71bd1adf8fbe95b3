/** Fastify 5 with a response schema, @fastify/etag where entity tags are asked for, and one knex query for each card. */
import etag from '@fastify/etag'
import Fastify from 'fastify'
import knexFactory from 'knex'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { inferSchema } from '../../../core/schema/infer.ts'
import { cardFrom, cardQuery, keyOf, otherPaths, report, routePattern, sample, stamped } from './common.ts'

const app = Fastify()
if (sample.etag !== null && sample.status === 304) await app.register(etag, { weak: true })
/** Read off the sample; members whose shape differs from card to card stay open, as an author would write them. */
function schemaOf (value: unknown): Record<string, unknown> {
  const { properties, ...schema } = JSON.parse(JSON.stringify(inferSchema(value as JsonValue))) as { properties: Record<string, unknown> }
  const open = Object.fromEntries(['attributes', 'rarity', 'illustrators', 'variant'].filter(name => name in properties).map(name => [name, {}]))
  return { ...schema, properties: { ...properties, ...open } }
}
const [firstKey = ''] = Object.keys(sample.bodies)
const response = sample.bodies[firstKey] === '' ? undefined : { response: { [sample.status === 304 ? 200 : sample.status]: schemaOf(stamped(firstKey)) } }
for (const path of otherPaths) app.get(path, () => ({ path }))
const knex = knexFactory({ client: 'pg', connection: sample.databaseUrl, pool: { min: 2, max: 10 } })
const headers = Object.fromEntries(sample.headers.filter(([name]) => !/^(etag|content-type)$/i.test(name)))

app.addHook('onRequest', (_request, reply, done) => {
  reply.headers(headers)
  done()
})
if (sample.scenario === 'card') {
  app.get(routePattern, { schema: response ?? {} }, async request => {
    const row = await knex('cards as c').join('sets as s', 's.id', 'c.set_id').join('games as g', 'g.token', 'c.game').where('c.sku', keyOf(request.url)).first<Record<string, unknown>>(cardQuery)
    return cardFrom(row)
  })
} else if (sample.scenario !== 'missing') {
  app.get(routePattern, { schema: response ?? {} }, request => {
    const document = stamped(keyOf(request.url))
    // The plugin hashes the payload: stamps that differ at each request would never match, so here they stand still.
    return sample.status === 304 ? JSON.parse(sample.bodies[''] ?? '{}') as unknown : document
  })
}
app.setNotFoundHandler((_request, reply) => reply.code(404).send(stamped('')))
await app.listen({ port: 0, host: '127.0.0.1' })
report(app.server)
