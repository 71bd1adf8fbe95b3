/**
 * Fastify 5 with a response schema for each route, entity tags, compression and request ids, as an author who wants
 * speed would write it.
 */
import { gzipSync } from 'node:zlib'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { inferSchema } from '../../../core/schema/json-schema.ts'
import type { Answered } from '../sample.ts'
import { findBatch, findCard, findNumber, findSet, type Found } from './cards.ts'
import { exampleOf, headersOf, nextId, otherPaths, parsed, report, sample, stamped, type Document } from './common.ts'

const app = Fastify()
for (const path of otherPaths) app.get(path, () => ({ path }))

/**
 * Members whose shape differs from card to card stay open, as an author would write them; what is null in the example
 * may be anything.
 */
function opened(schema: unknown, name = ''): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  const { type, properties, items } = schema as { type?: unknown; properties?: Document; items?: unknown }
  if (
    type === 'null' ||
    Array.isArray(type) ||
    ['attributes', 'illustrators', 'name_translations', 'printed_in'].includes(name)
  )
    return {}
  return {
    type,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [name, opened(member, name)])
          )
        }),
    ...(items === undefined ? {} : { items: opened(items) })
  }
}
const withSchema = ({ status }: Answered, example: Document): object => ({
  schema: { response: { [status]: opened(inferSchema(example as JsonValue)) } }
})

app.addHook('onSend', (request, reply, payload, done) => {
  if (
    typeof payload !== 'string' ||
    payload.length < 1024 ||
    request.headers['accept-encoding']?.includes('gzip') !== true
  ) {
    done(null, payload)
    return
  }
  reply.header('Content-Encoding', 'gzip').removeHeader('content-length')
  done(null, gzipSync(payload))
})

/** Sets the headers of an answer; true when the client has it already. */
function begin(request: FastifyRequest, reply: FastifyReply, answered: Answered, id: string, etag?: string): boolean {
  reply.headers(headersOf(answered, request.url, id))
  if (etag === undefined) return false
  reply.header('ETag', etag)
  return request.headers['if-none-match'] === etag
}

const keyOf = (request: FastifyRequest): string => (request.params as { key?: string }).key ?? ''

/** Longer ones are sent as they are held: nobody would make them at each request. */
const longText = 100_000

for (const answered of sample.fixed) {
  const documents = parsed(answered)
  const [first] = documents.values()
  const long = Object.values(answered.bodies).find(body => body.length > longText)
  app.get(answered.route, long === undefined ? withSchema(answered, first ?? {}) : {}, (request, reply) => {
    const id = nextId()
    if (begin(request, reply, answered, id, answered.etag)) return reply.code(304).send()
    return long === undefined
      ? stamped(documents.get(keyOf(request)) ?? {}, id)
      : reply.type('application/json; charset=utf-8').send(long)
  })
}

const refused = exampleOf(sample.refused)
app.route({
  method: ['POST', 'PUT', 'PATCH', 'DELETE'],
  url: sample.refused.route,
  ...withSchema(sample.refused, refused),
  handler(request, reply) {
    const id = nextId()
    begin(request, reply, sample.refused, id)
    return reply.code(405).send(stamped(refused, id))
  }
})
const missing = exampleOf(sample.missing)
app.setNotFoundHandler((request, reply) => {
  const id = nextId()
  begin(request, reply, sample.missing, id)
  return reply.code(404).send(stamped(missing, id, request.url))
})

/** A surface over the database whose answer has an entity tag. */
const found = (answered: Answered, find: (request: FastifyRequest, id: string) => Promise<Found | undefined>): void => {
  app.get(answered.route, withSchema(answered, exampleOf(answered)), async (request, reply) => {
    const id = nextId()
    const one = await find(request, id)
    if (one === undefined) return await reply.code(404).send(missing)
    return begin(request, reply, answered, id, one.etag) ? await reply.code(304).send() : one.document
  })
}
const queryOf = (request: FastifyRequest): Readonly<Record<'game' | 'q', string>> =>
  request.query as Readonly<Record<'game' | 'q', string>>
found(sample.card, request => findCard(keyOf(request)))
found(sample.set, request => findSet(keyOf(request), queryOf(request).game))
found(sample.search, (request, id) => findNumber(queryOf(request).game, queryOf(request).q, id))
app.post(
  sample.batch.route,
  {
    schema: {
      body: {
        type: 'object',
        required: ['skus'],
        properties: { skus: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'string', maxLength: 200 } } }
      },
      ...(withSchema(sample.batch, exampleOf(sample.batch)) as { schema: object }).schema
    }
  },
  async (request, reply) => {
    const id = nextId()
    begin(request, reply, sample.batch, id)
    return await findBatch((request.body as { skus: string[] }).skus, id)
  }
)

await app.listen({ port: 0, host: '127.0.0.1' })
report(app.server)
