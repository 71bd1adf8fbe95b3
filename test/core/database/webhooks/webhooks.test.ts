import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Type } from '../../../../core/canonical/type.ts'
import { migrate } from '../../../../core/database/migrations.ts'
import { deliver } from '../../../../core/database/webhooks/deliver.ts'
import { Endpoints } from '../../../../core/database/webhooks/endpoints.ts'
import { readProblem } from '../../../../core/database/webhooks/problems.ts'
import { signatureOf } from '../../../../core/database/webhooks/secrets.ts'
import { webhookMigrations } from '../../../../core/database/webhooks/table.ts'
import { webhookProblems } from '../../../../core/database/webhooks/types.ts'
import { openWebhooks } from '../../../../core/database/webhooks/webhooks.ts'
import type { Reach } from '../../../../core/http/safe-fetch.ts'
import { testDatabase } from '../../../support/database.ts'
import { otherServer } from '../../../support/other-server.ts'

const { database } = await testDatabase(t, 'empty')
const { knex } = database
await migrate(database.bulk, webhookMigrations)

const near: Reach = {
  protocol: 'http:',
  allows: address => address === '127.0.0.1',
  resolve: () => Promise.reject(new Error('No name is known.'))
}
const dataDir = t.testdir()
const endpoints = new Endpoints(database, dataDir)
const types = {
  'loan.returned': Type.Object({ isbn: Type.String() }, { additionalProperties: false }),
  'loan.late': Type.Object({ days: Type.Integer() })
}
const webhooks = openWebhooks(types)
const tell = async (type: string, data: Parameters<typeof webhooks.tell>[2]): Promise<void> => {
  await knex.transaction(async transaction => {
    await webhooks.tell(transaction, type, data)
  })
}
const send = async (folder = dataDir): Promise<void> => {
  await deliver({ database, dataDir: folder, signal: new AbortController().signal, reach: near })
}

type Got = Readonly<{ headers: IncomingHttpHeaders; body: string }>

/** An endpoint that answers each message with the next of some statuses, the last again and again. */
async function endpoint(t: Test, ...statuses: number[]): Promise<Readonly<{ url: string; got: readonly Got[] }>> {
  const got: Got[] = []
  const { url } = await otherServer(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(statuses[Math.min(got.length, statuses.length) - 1] ?? 204).end()
    })
  })
  return { url: `${url}/in`, got }
}

/** Lets the next attempts be due. */
const wait = async (): Promise<void> => {
  await knex.raw('update pantry_webhook_deliveries set due_at = clock_timestamp()')
}

const count = async (table: string): Promise<number> => (await knex(`pantry_webhook_${table}`)).length

t.afterEach(async () => {
  await knex('pantry_webhook_endpoints').delete()
  await knex('pantry_webhook_messages').delete()
})

t.test('what a transaction tells is sent once it is kept, and signed as Standard Webhooks says', async t => {
  const { url, got } = await endpoint(t)
  const { secret } = await endpoints.add(url, [])
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const undone = knex.transaction(async transaction => {
    await webhooks.tell(transaction, 'loan.returned', { isbn: '1' })
    throw new Error('undone')
  })
  await t.rejects(undone, { message: 'undone' })
  await tell('loan.returned', { isbn: '2' })
  await send()
  t.equal(got.length, 1)
  const [{ headers, body } = { headers: {}, body: '' }] = got
  t.match(JSON.parse(body), { type: 'loan.returned', timestamp: /^\d{4}-.*Z$/, data: { isbn: '2' } })
  const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
  t.match(id, /^msg_[\w-]{24}$/)
  t.match(timestamp, /^\d{10}$/)
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  t.equal(headers['webhook-signature'], `v1,${signature}`)
  t.equal(headers['content-type'], 'application/json')
  await send()
  t.equal(got.length, 1, 'once')
  t.equal(await count('messages'), 0, 'nothing is kept of what has arrived')
})

t.test('a signature is that of the example of Standard Webhooks', t => {
  t.equal(
    signatureOf(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '1614265330',
      '{"test": 2432232314}'
    ),
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
  )
  t.end()
})

t.test('while a secret is replaced, a message is signed with both', async t => {
  const { url, got } = await endpoint(t)
  const { id, secret } = await endpoints.add(url, [])
  const signedWith = async (): Promise<readonly string[]> => {
    await tell('loan.late', { days: 1 })
    await send()
    const { headers, body } = got.at(-1) ?? { headers: {}, body: '' }
    const signatures = String(headers['webhook-signature']).split(' ')
    return secrets.filter(one =>
      signatures.includes(signatureOf(one, String(headers['webhook-id']), String(headers['webhook-timestamp']), body))
    )
  }
  const secrets = [secret]
  const rotate = async (hours: number): Promise<string> => {
    const made = (await endpoints.rotate(id, hours)) ?? ''
    t.match(made, /^whsec_[A-Za-z0-9+/]{43}=$/)
    secrets.push(made)
    return made
  }
  const second = await rotate(24)
  t.same(await signedWith(), [secret, second])
  const third = await rotate(24)
  t.same(await signedWith(), [second, third], 'two signatures at most')
  t.match(await endpoints.list(), [{ former_until: /Z$/ }])
  await knex.raw("update pantry_webhook_endpoints set former_until = clock_timestamp() - interval '1 second'")
  t.same(await signedWith(), [third], 'the former one ends by itself')
  t.match(await knex('pantry_webhook_endpoints'), [{ former_secret: null }], 'and is kept no longer')
  t.same(await signedWith(), [third])
  const last = await rotate(0)
  t.same(await signedWith(), [last], 'or at once')
  t.equal(await endpoints.rotate('hook_none', 24), undefined)
})

t.test('types that are declared by TypeBox are no problem, and what is none is', t => {
  t.same(webhookProblems('webhooks.ts', types), [])
  t.match(webhookProblems('webhooks.ts', { 'loan.late': { type: 'integer' } }), [{ code: 'H113' }])
  t.match(webhookProblems('webhooks.ts', undefined), [{ code: 'H113' }])
  t.end()
})

t.test('an endpoint is told of the types that it asked for, and nothing is kept where nobody asks', async t => {
  await tell('loan.late', { days: 1 })
  t.equal(await count('messages'), 0)
  const [all, some] = [await endpoint(t), await endpoint(t)]
  await endpoints.add(all.url, [])
  await endpoints.add(some.url, ['loan.late'])
  await tell('loan.late', { days: 2 })
  await tell('loan.returned', { isbn: '3' })
  await send()
  t.equal(all.got.length, 2)
  t.match(
    some.got.map(({ body }) => JSON.parse(body) as unknown),
    [{ type: 'loan.late', data: { days: 2 } }]
  )
  const ids = [...all.got, ...some.got].map(({ headers }) => headers['webhook-id'])
  t.equal(new Set(ids).size, 2, 'a message has one id, whoever gets it')
})

t.test('what is not declared is not told, and the error shows no value', async t => {
  await t.rejects(tell('loan.lost', {}), { message: /`loan\.lost` is not declared.*loan\.returned, loan\.late/ })
  await t.rejects(tell('loan.late', { days: 'hunter2' }), {
    message: 'The data of `loan.late` is another: /days (type).'
  })
  t.throws(() => openWebhooks({ 'Loan Returned': Type.Object({}) }), /is no type of a webhook/)
})

t.test('a failure is tried again later with the same id, until the message is dead; then by hand', async t => {
  const { url, got } = await endpoint(t, ...Array.from({ length: 10 }, () => 500), 200)
  const { id } = await endpoints.add(url, [])
  await tell('loan.late', { days: 1 })
  await send()
  await send()
  t.equal(got.length, 1, 'not at once')
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    "select attempts, last_problem, due_at - clock_timestamp() between interval '1 second' and interval '6 seconds' as soon from pantry_webhook_deliveries"
  )
  t.same(rows, [{ attempts: 1, last_problem: 'status 500', soon: true }])
  for (let left = 9; left > 0; left -= 1) {
    t.same(await endpoints.dead(), [])
    await wait()
    await send()
  }
  t.equal(got.length, 10)
  t.match(await endpoints.dead(), [{ endpoint: id, type: 'loan.late', attempts: 10, problem: { code: 'status' } }])
  await wait()
  await send()
  t.equal(got.length, 10, 'a dead message is not sent')
  t.match(await endpoints.list(), [{ id, disabled_at: null, waiting: 0, dead: 1 }])
  t.equal(await endpoints.retry(id), true)
  await send()
  t.equal(got.length, 11)
  t.equal(new Set(got.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.equal(new Set(got.map(({ body }) => body)).size, 1)
  t.equal(await count('messages'), 0)
})

t.test('410 disables an endpoint and what waits for it is dead; a redirect is a failure', async t => {
  const [gone, moved] = [await endpoint(t, 410, 200), await endpoint(t, 308)]
  const { id } = await endpoints.add(gone.url, [])
  await endpoints.add(moved.url, [])
  for (const days of [1, 2, 3, 4, 5, 6]) await tell('loan.late', { days })
  // Some of the messages are on their way at once.
  await send()
  t.ok(gone.got.length < 6)
  const dead = (await endpoints.dead()).filter(one => one.endpoint === id)
  t.equal(dead.length + gone.got.length - 1, 6)
  t.match(
    (await endpoints.list()).find(one => one.id === id),
    { disabled_at: /Z$/, waiting: 0 }
  )
  await tell('loan.late', { days: 7 })
  t.match(await endpoints.list(), [{ dead: dead.length }, { waiting: 7, dead: 0 }], 'it is told nothing more')
  t.equal(await endpoints.retry(id), true)
  await wait()
  await send()
  t.match(await endpoints.list(), [{ disabled_at: null, dead: 0 }, { dead: 0 }])
  t.equal(await endpoints.retry('hook_none'), false)
  t.equal(await endpoints.remove(id), true)
  t.equal(await endpoints.remove(id), false)
})

t.test('the database does not have the secret, and another data folder cannot sign', async t => {
  const [one, other] = [await endpoint(t), await endpoint(t)]
  const { id, secret } = await endpoints.add(one.url, [])
  const stored = JSON.stringify(await knex('pantry_webhook_endpoints'))
  for (const form of [secret, secret.replace('whsec_', ''), Buffer.from(secret).toString('base64')])
    t.notOk(stored.includes(form))
  t.equal(statSync(join(dataDir, 'webhooks-key')).mode & 0o777, 0o600)
  const elsewhere = t.testdir()
  await new Endpoints(database, elsewhere).add(other.url, [])
  await tell('loan.late', { days: 1 })
  await t.rejects(send(elsewhere), { code: 'O407', fix: /Copy the file `webhooks-key`/ })
  t.match(await endpoints.list(), [{ id, waiting: 1, problem: { code: 'key', reason: /`pantry explain O407`/ } }, {}])
  t.equal(one.got.length, 0)
  t.equal(other.got.length, 1, 'the others are sent')
  await send(elsewhere)
  await wait()
  await send()
  t.equal(one.got.length, 1)
  await knex.raw(
    'update pantry_webhook_endpoints set secret = (select secret from pantry_webhook_endpoints where id = ?) where id <> ?',
    [id, id]
  )
  await tell('loan.late', { days: 2 })
  await t.rejects(send(), { code: 'O407' }, 'a secret is of one endpoint')
})

t.test('endpoints whose secrets cannot be decrypted hold up no other, and are well with another secret', async t => {
  const elsewhere = t.testdir()
  const lost = new Endpoints(database, elsewhere)
  const ids = await Promise.all(Array.from({ length: 6 }, async () => (await lost.add('https://192.0.2.1/', [])).id))
  for (const days of [1, 2, 3, 4]) await tell('loan.late', { days })
  const { url, got } = await endpoint(t)
  await endpoints.add(url, [])
  await tell('loan.late', { days: 5 })
  await t.rejects(send(), { code: 'O407' })
  t.equal(got.length, 1, 'more messages than are sent at once are due before it')
  for (const id of ids.slice(1)) await endpoints.remove(id)
  const [id = ''] = ids
  await knex('pantry_webhook_endpoints').where({ id }).update({ url })
  t.match(
    await knex('pantry_webhook_deliveries').where({ endpoint: id }),
    [{ attempts: 0, dead_at: null }],
    'it is no attempt'
  )
  await endpoints.rotate(id, 24)
  await send()
  t.equal(got.length, 6, 'a former secret that is lost does not matter')
})

t.test('the last problem is told by a code and a sentence, which shows neither the answer nor an address', async t => {
  const moved = await endpoint(t, 302)
  await endpoints.add(moved.url, [])
  await endpoints.add('https://169.254.169.254/latest/', [])
  await endpoints.add('http://hooks.example.org/', [])
  await endpoints.add('http://127.0.0.1:1/', [])
  await tell('loan.late', { days: 1 })
  await send()
  const found = (await endpoints.list()).map(({ problem }) => problem)
  t.same(found, [
    { code: 'status', reason: 'It answered with status 302, and redirects are not followed.' },
    { code: 'refused', reason: 'Nothing was sent: its address is neither public nor in PANTRY_OUTGOING_NETWORKS.' },
    { code: 'connection', reason: 'The connection to it failed (UNKNOWN).' },
    { code: 'connection', reason: 'The connection to it failed (ECONNREFUSED).' }
  ])
  for (const [kept, code] of [
    ['failed ENOTFOUND', 'name'],
    ['failed EAI_AGAIN', 'name'],
    ['failed CERT_HAS_EXPIRED', 'tls'],
    ['failed DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['failed ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['failed ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['failed ECONNRESET', 'connection'],
    ['timeout', 'timeout'],
    [null, 'disabled']
  ] as const)
    t.equal(readProblem(kept).code, code, String(kept))
})

t.test('the last problem is that of the last attempt, not of the message that waits longest', async t => {
  const { url } = await endpoint(t, 500)
  const { id } = await endpoints.add('https://169.254.169.254/', [])
  await tell('loan.late', { days: 1 })
  for (let tries = 0; tries < 3; tries++) {
    await send()
    await wait()
  }
  await send()
  await knex('pantry_webhook_endpoints').where({ id }).update({ url })
  await tell('loan.late', { days: 2 })
  await send()
  t.match(await endpoints.list(), [{ id, waiting: 2, problem: { code: 'status' } }])
})

t.test('a process that stops counts no attempt', async t => {
  const stop = new AbortController()
  const { url } = await otherServer(t, () => {
    stop.abort()
  })
  await endpoints.add(url, [])
  await tell('loan.late', { days: 1 })
  await deliver({ database, dataDir, signal: stop.signal, reach: near })
  t.match(await knex('pantry_webhook_deliveries'), [{ attempts: 0, last_problem: null, dead_at: null }])
})
