import t from 'tap'
import Type from 'typebox'
import { defineHandlerFor, reply, type Reply } from '../../../core/handler/handler.ts'
import { exactSchema } from '../../../core/schema/json-schema.ts'
import { compileHandler } from '../../../core/kinds/handler.ts'
import { bindHandlers } from '../../../core/plan/bind-handlers.ts'
import type { PlanRequest } from '../../../core/plan/request.ts'

const defineHandler = defineHandlerFor<Record<string, never>>()
const Game = Type.Object({ game: Type.Integer() }, { additionalProperties: false })

t.test('a reply has the members that its schema names: the compiler says so', async t => {
  // @ts-expect-error -- a name that is misspelt
  const misspelt = defineHandler({ reply: Game, handle: ({ now }) => reply({ gaem: now.getTime() }) })
  // @ts-expect-error -- a member that no schema names
  const more = defineHandler({ reply: Game, handle: ({ now }) => reply({ game: now.getTime(), extra: true }) })
  // @ts-expect-error -- a member of another type
  const other = defineHandler({ reply: Game, handle: ({ path }) => reply({ game: path }) })
  // @ts-expect-error -- the same, later
  const late = defineHandler({ reply: Game, handle: async ({ path }) => reply({ game: await Promise.resolve(path) }) })
  // @ts-expect-error -- a member that is missing
  const less = defineHandler({ reply: Game, handle: ({ now }) => reply(now.getTime() === 0 ? {} : {}) })
  const nested = defineHandler({
    reply: Type.Object({ list: Type.Array(Game) }),
    // @ts-expect-error -- a member too many, two levels down
    handle: ({ now }) => reply({ list: [{ game: now.getTime(), extra: true }] })
  })
  // @ts-expect-error -- a name that is misspelt, where `handle` takes nothing
  const bare = defineHandler({ reply: Game, handle: () => reply({ gaem: 5 }) })
  for (const handler of [misspelt, more, other, late, less, nested, bare]) t.type(handler.handle, 'function')
  t.type(defineHandler({ reply: Game, handle: () => reply({ game: 5 }) }).handle, 'function')
})

/** What a surface with this handler answers; the data is not what its type says. */
const answer = (schema: Type.TSchema, data: unknown, checkReplies: boolean): unknown =>
  answerOf(schema, () => reply(data), checkReplies)

function answerOf(schema: Type.TSchema, handle: () => Reply | Promise<Reply>, checkReplies: boolean): unknown {
  const handler = defineHandler({ reply: Type.Unsafe<unknown>(schema), handle })
  const bound = bindHandlers({
    registry: { byId: new Map(), corpora: new Map() },
    handlers: new Map([['games/one', handler]]),
    services: {},
    checkReplies
  })
  const source = compileHandler({ answer: { handler: 'games/one' } } as never, {
    handlers: bound,
    service: {} as never,
    ask: () => () => Promise.resolve(undefined)
  })
  const request = { method: 'GET', path: '/', search: '', headers: {}, now: new Date(0) } as PlanRequest
  return source.answer({ params: {}, query: {}, body: undefined }, request)
}

t.test(
  'at run time a reply that its schema does not describe is a fault that names handler, place and member',
  async t => {
    t.throws(() => answer(Game, { gaem: 5, extra: true }, true), {
      message: /games\/one.*\n.*\/gaem: `gaem` is not a known field.*\n?/s
    })
    t.throws(() => answer(Game, { gaem: 5, extra: true }, true), { message: /`extra` is not a known field/ })
    t.throws(() => answer(Game, { gaem: 5, extra: true }, true), { message: /`game` is required/ })
    t.match(answer(Game, { game: 5 }, true), { status: 200, data: { game: 5 } })
    t.match(answer(Game, { gaem: 5 }, false), { data: { gaem: 5 } }, 'in production nothing is checked')
  }
)

t.test('members that no schema names are found at every depth, also where the schema does not forbid them', async t => {
  const loose = Type.Object({
    list: Type.Array(Type.Union([Type.Object({ a: Type.String() }), Type.Null()])),
    by: Type.Record(Type.String(), Type.Object({ n: Type.Integer() }))
  })
  t.throws(() => answer(loose, { list: [null, { a: 'x', b: 1 }], by: {} }, true), { message: /\/list\/1\/b/ })
  t.throws(() => answer(loose, { list: [], by: { one: { n: 1, m: 2 } } }, true), { message: /\/by\/one\/m/ })
  t.match(answer(loose, { list: [{ a: 'x' }], by: { one: { n: 1 } } }, true), { status: 200 })
  t.match(
    answer(
      Type.Object({ free: Type.Object({ kind: Type.String() }, { additionalProperties: true }) }),
      { free: { kind: 'x', more: 1 } },
      true
    ),
    { status: 200 },
    'a schema may say that more follows'
  )
})

t.test('a schema that is made exact leaves what is no schema alone', async t => {
  t.same(exactSchema({ const: { properties: {} }, enum: [{ properties: {} }], default: { properties: {} } }), {
    const: { properties: {} },
    enum: [{ properties: {} }],
    default: { properties: {} }
  })
})

t.test('a promise of another make is waited for as any: a transaction of knex is one', async t => {
  /** Has no more in common with a promise than `then`. */
  const promiseLike = (work: Promise<Reply>): Promise<Reply> =>
    ({ then: work.then.bind(work) }) as unknown as Promise<Reply>
  for (const checkReplies of [true, false]) {
    t.match(await answerOf(Game, () => promiseLike(Promise.resolve(reply({ game: 5 }))), checkReplies), {
      data: { game: 5 }
    })
    await t.rejects(
      Promise.resolve(answerOf(Game, () => promiseLike(Promise.reject(new Error('refused'))), checkReplies)),
      { message: 'refused' }
    )
  }
})
