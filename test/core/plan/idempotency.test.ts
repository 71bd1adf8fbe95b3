import { spawn } from 'node:child_process'
import { once as onceEmitted } from 'node:events'
import t, { type Test } from 'tap'
import { Type } from '../../../core/canonical/type.ts'
import type { Database } from '../../../core/database/database.ts'
import { migrate } from '../../../core/database/migrations.ts'
import { onceMigrations } from '../../../core/database/once/table.ts'
import { SurfaceError } from '../../../core/handler/errors.ts'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { handlerGeneration } from '../../support/handler-generation.ts'
import { program } from '../../support/program.ts'
import { serveGeneration } from '../../support/serve-root.ts'

const { database, url } = await testDatabase(t, 'empty')
const { knex } = database
await migrate(database.bulk, onceMigrations)
await knex.raw('create table notes (text text not null)')

type Services = Readonly<{ database: Database; held: () => Promise<void> }>

const Note = Type.Object({ text: Type.String() }, { additionalProperties: false })

const noteWith = (key: 'optional' | 'required') =>
  defineHandlerFor<Services>()({
    body: { schema: Note, limitBytes: 1000 },
    idempotency: { key },
    reply: Type.Object({ notes: Type.Integer(), text: Type.String() }),
    handle: async ({ body: { text } }, { database, held }) => {
      await database.change(async transaction => {
        await transaction('notes').insert({ text })
      })
      await held()
      if (text === 'refused') throw new SurfaceError('NOT_FOUND', 'Nobody wants to know.')
      const notes = await database.change(async transaction => (await transaction('notes')).length)
      return reply({ notes, text }, { status: 201, headers: { Location: '/notes/1' } })
    }
  })

async function serveNotes(t: Test, held: Services['held'] = () => Promise.resolve()) {
  const more = 'method: POST\nexamples: [{ title: One, body: { text: one }, expect: { status: 201 } }]'
  const generation = handlerGeneration(
    t,
    {
      'note.post': { path: '/api/v1/note', more, handler: noteWith('optional') },
      'sure.post': { path: '/api/v1/sure', more, handler: noteWith('required') }
    },
    {},
    undefined,
    { services: { database, held }, once: database.once }
  )
  const { get } = await serveGeneration(t, generation)
  return async (path: string, key: string | undefined, text: string) => {
    const answer = await get(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body: JSON.stringify({ text })
    })
    const { data, error } = (await answer.json()) as Readonly<Record<'data' | 'error', unknown>>
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      replayed: answer.headers.get('idempotent-replayed'),
      data,
      error
    }
  }
}

const written = async (): Promise<number> => (await knex('notes')).length

t.beforeEach(async () => {
  await knex('notes').delete()
  await knex('pantry_idempotency_keys').delete()
})

t.test('the same request with the same key is done once and answered again', async t => {
  const send = await serveNotes(t)
  const first = await send('/api/v1/note', '"a b"', 'one')
  const answered = { status: 201, location: '/notes/1', data: { notes: 1, text: 'one' } }
  t.match(first, { ...answered, replayed: null })
  t.match(await send('/api/v1/note', '"a b"', 'one'), { ...answered, replayed: 'true' })
  t.match(await send('/api/v1/note', '"a\\"b"', 'one'), { replayed: null, data: { notes: 2 } }, 'another key')
  t.match(await send('/api/v1/sure', '"a b"', 'one'), { replayed: null, data: { notes: 3 } }, 'another surface')
  t.match(await send('/api/v1/note', 'c', 'one'), { replayed: null, data: { notes: 4 } })
  t.match(await send('/api/v1/note', '"c"', 'one'), { replayed: 'true', data: { notes: 4 } }, 'with and without quotes')
  t.match(await send('/api/v1/note', undefined, 'one'), { replayed: null, data: { notes: 5 } }, 'without a key')
  t.match(await send('/api/v1/note', '"a b"', 'two'), {
    status: 422,
    error: { code: 'IDEMPOTENCY_KEY_REUSED', details: { field: 'Idempotency-Key' } }
  })
  t.equal(await written(), 5)
  const kept = JSON.stringify(await knex('pantry_idempotency_keys'))
  t.notMatch(kept, /a b/, 'no key is kept, but its hash')
})

t.test('a key is asked for, and its form is checked', async t => {
  const send = await serveNotes(t)
  t.match(await send('/api/v1/sure', undefined, 'one'), {
    status: 400,
    error: { code: 'MISSING_PARAM', details: { in: 'header', field: 'Idempotency-Key' } }
  })
  for (const key of ['""', '"a', 'a b', 'a, b', '"a";b=1', `"${'a'.repeat(256)}"`, 'a'.repeat(256)])
    t.match(
      await send('/api/v1/note', key, 'one'),
      { status: 400, error: { code: 'INVALID_INPUT', details: { field: 'Idempotency-Key' } } },
      key
    )
  t.equal(await written(), 0)
})

t.test('what is refused is undone, and its key is free', async t => {
  const send = await serveNotes(t)
  t.match(await send('/api/v1/note', 'a', 'refused'), { status: 404 })
  t.equal(await written(), 0)
  t.match(await send('/api/v1/note', 'a', 'one'), { status: 201, replayed: null })
})

t.test('a key is refused while its first request is answered', async t => {
  let go = (): void => undefined
  const gone = new Promise<void>(resolve => {
    go = resolve
  })
  let begin = (): void => undefined
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const send = await serveNotes(t, async () => {
    begin()
    await gone
  })
  const first = send('/api/v1/note', 'a', 'one')
  await begun
  t.match(await send('/api/v1/note', 'a', 'one'), { status: 409, error: { code: 'IDEMPOTENCY_KEY_IN_USE' } })
  go()
  t.match(await first, { status: 201 })
  t.match(await send('/api/v1/note', 'a', 'one'), { status: 201, replayed: 'true' })
})

t.test('a handler that never comes back keeps no place, and writes nothing once its transaction has ended', async t => {
  let go = (): void => undefined
  const gone = new Promise<void>(resolve => {
    go = resolve
  })
  const done: Promise<unknown>[] = []
  const hanging = Array.from({ length: 3 }, (_, index) =>
    database.once({ id: `h${index}`, digest: 'd', isAnonymous: false, seconds: 60 }, async () => {
      const work = gone.then(() =>
        database.change(async transaction => {
          await transaction('notes').insert({ text: 'late' })
        })
      )
      done.push(work.catch((error: unknown) => error))
      await work
      return {}
    })
  ).map(async one => await one.catch((error: unknown) => error))
  await eventually(() => {
    if (done.length < 3) throw new Error('Not all have begun.')
    return Promise.resolve()
  })
  // As the server does with a transaction that runs no statement.
  await database.bulk.raw(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'"
  )
  t.match(await Promise.all(hanging), Array(3).fill({ status: 503 }))
  const after = { id: 'h0', digest: 'd', isAnonymous: false, seconds: 60 }
  t.match(await database.once(after, () => Promise.resolve({ fine: true })), { answer: { fine: true } })
  go()
  t.match(await Promise.all(done), Array(3).fill({ status: 503 }))
  t.equal(await written(), 0)
})

t.test(
  'more requests with keys than connections are all answered, also where each reads beside its change',
  async t => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        database.once({ id: `k${index}`, digest: 'd', isAnonymous: false, seconds: 60 }, async () => {
          await database.change(async transaction => {
            await transaction('notes').insert({ text: 'one' })
          })
          await knex('notes').limit(1)
          return {}
        })
      )
    )
    t.ok(answers.every(({ isKept }) => !isKept))
    t.equal(await written(), 30)
  }
)

t.test('an answer is kept for its hours', async t => {
  const send = await serveNotes(t)
  await send('/api/v1/note', 'a', 'one')
  const { rows } = await knex.raw<{ rows: { hours: number }[] }>(
    'select round(extract(epoch from expires_at - now()) / 3600)::int as hours from pantry_idempotency_keys'
  )
  t.same(rows, [{ hours: 24 }])
  await knex.raw("update pantry_idempotency_keys set expires_at = now() - interval '1 second'")
  t.match(await send('/api/v1/note', 'a', 'two'), { status: 201, replayed: null }, 'an old key is a new one')
  await knex.raw("update pantry_idempotency_keys set expires_at = now() - interval '1 second'")
  await send('/api/v1/note', 'b', 'one')
  t.equal((await knex('pantry_idempotency_keys')).length, 1, 'and what has expired is removed')
})

t.test('the oldest answers to anonymous callers make room, and those of others stay', async t => {
  const send = await serveNotes(t)
  await send('/api/v1/note', 'a', 'one')
  await knex.raw(`insert into pantry_idempotency_keys select 'known', '', '{}', false, 1, now() + interval '1 day'`)
  await knex.raw(
    "select setval('pantry_idempotency_anonymous', (select max(place) + 9999 from pantry_idempotency_keys))"
  )
  await send('/api/v1/note', 'b', 'one')
  t.match(await send('/api/v1/note', 'b', 'one'), { replayed: 'true' })
  t.match(await send('/api/v1/note', 'a', 'one'), { replayed: null })
  t.equal((await knex('pantry_idempotency_keys').where({ id: 'known' })).length, 1)
})

t.test('what a process wrote that is killed before its answer is undone, and its key is free', async t => {
  const child = spawn(process.execPath, [...program('test/core/plan/die-with-key'), url], { stdio: 'inherit' })
  t.same(await onceEmitted(child, 'exit'), [null, 'SIGKILL'])
  const request = { id: 'killed', digest: 'd', isAnonymous: true, seconds: 60 }
  const again = async (): Promise<unknown> => {
    for (;;) {
      try {
        return await database.once(request, async () => {
          await database.change(async transaction => {
            await transaction('notes').insert({ text: 'again' })
          })
          return { status: 201 }
        })
      } catch (error) {
        // The server of the database may notice a little later that the process is gone.
        if (!(error instanceof SurfaceError) || error.code !== 'IDEMPOTENCY_KEY_IN_USE') throw error
      }
    }
  }
  t.match(await again(), { isKept: false })
  t.same(await knex('notes'), [{ text: 'again' }])
  t.match(await again(), { isKept: true, answer: { status: 201 } })
})
