// test: sampled, slow. Fewer bits of each answer in a short run. A bit that is flipped anywhere is found from outside.
// What is not proven is listed here by name, and everything else is.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { audit, auditDays } from '../../../surfaces/proofs/audit.ts'
import { jsonReader } from '../../../surfaces/proofs/outside.ts'
import { verifyService } from '../../../surfaces/proofs/verify-service.ts'
import { UnprovenError } from '../../../surfaces/proofs/verify-studies.ts'
import { chanceSeed } from '../../run/chance.ts'
import type { Outcome } from '../../support/command-line.ts'
import { serveDraws } from '../../support/draws.ts'
import { times } from '../../support/effort.ts'
import { eventually } from '../../support/eventually.ts'
import { python } from '../../support/python.ts'
import { answersOf, chanceOf, differenceOf, flippedColumn, flippedJson } from './flip.ts'

const seed = chanceSeed
t.comment(`--seed=${seed}`)

const {
  served: { url },
  ask,
  drawn,
  database
} = await serveDraws(t)
for (const [count, set] of [
  [3, 'a1'],
  [4, 'a4'],
  [1, 'a1']
] as const) {
  await drawn(count, set)
  await ask('/api/verify/chain')
}
await ask('/api/v1/draws', {})
const pathOf = (address: string): string => new URL(address).pathname
const healthIn = (found: ReadonlyMap<string, JsonValue>): string =>
  [...found.keys()].find(address => pathOf(address) === '/api/verify/health') ?? ''
// The service keeps its look at itself for a while. One from before the batches says nothing of them.
const answers = await eventually(async () => {
  const found = await answersOf(url)
  assert.equal((found.get(healthIn(found)) as { data: { self_audit: { batch: number } } }).data.self_audit.batch, 3)
  return found
}, 60)

/**
 * What a service says of its present moment, and of draws that are in no receipt. When it looked at itself is its own
 * word: of the time alone it can be said that it leaves the batches that were looked at within the days looked back.
 */
const isUnproven = (address: string, where: string): boolean =>
  !where.startsWith('/data') && pathOf(address) !== '/.well-known/pantry-proofs.json'
    ? true
    : /\/counts\/(batches_7d|receipts_7d|batches_24h)$/.test(where) ||
      (pathOf(address) === '/api/verify/health' && where === '/data/self_audit/at') ||
      (pathOf(address) === '/api/verify/fairness' && where === '/data/expired')

const failureOf = async (answer: (address: string) => JsonValue): Promise<unknown> =>
  await verifyService(url, async address => await Promise.resolve(answer(address))).then(
    () => undefined,
    (error: unknown) => error
  )

t.test('one flipped bit in any answer is found', async t => {
  t.match(
    await verifyService(url, async address => await Promise.resolve(answers.get(address) ?? null)),
    { receipts: 8, batches: 3, epochs: [{}], proofs: 10 },
    'as they are they hold'
  )
  const health = healthIn(answers)
  const late = structuredClone(answers.get(health)) as { data: { self_audit: { at: string } } }
  late.data.self_audit.at = new Date(Date.parse(late.data.self_audit.at) + (auditDays + 1) * 86_400_000).toISOString()
  t.ok(
    (await failureOf(address => (address === health ? late : (answers.get(address) ?? null)))) instanceof UnprovenError,
    'a look at itself that is later than its batches by more than its days'
  )
  const chance = chanceOf(seed)
  const counts = { found: 0, unreadable: 0, unproven: 0 }
  for (const [address, answer] of answers) {
    for (let flip = 0; flip < times(50); flip += 1) {
      const flipped = flippedJson(answer, chance)
      const where = flipped === undefined ? undefined : differenceOf(answer, flipped)
      if (flipped === undefined || where === undefined) counts.unreadable += 1
      else if (isUnproven(address, where)) counts.unproven += 1
      else {
        const failure = await failureOf(asked => (asked === address ? flipped : (answers.get(asked) ?? null)))
        if (!(failure instanceof UnprovenError))
          t.fail(`--seed=${seed} ${pathOf(address)} ${where}: ${String(failure)}`)
        counts.found += 1
      }
    }
  }
  t.comment(JSON.stringify(counts))
  t.ok(counts.found > answers.size)
})

/** What the script reads: what draws, receipts, trees and heads are made of. */
const isOfScript = (address: string, where: string): boolean =>
  (pathOf(address).startsWith('/api/verify/rates/') && where.startsWith('/data')) ||
  /^\/keys\/(x|kid)$|^\/data\/(batches\/(head|signature)|leaves\/receipt|inclusion|leaf_index|signed\/head)\b/.test(
    where
  )

t.test('the script finds what was flipped in any of the answers that it reads', async t => {
  let lie: readonly [string, JsonValue] = ['', null]
  const server = createServer((request, response) => {
    const address = `${url}${request.url ?? ''}`
    // The command asks for more heads at once.
    const answer = address === lie[0] ? lie[1] : (answers.get(address) ?? answers.get(`${address}&limit=500`))
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? null))
  }).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.close()
  })
  await once(server, 'listening')
  const verified = async (): Promise<Outcome | undefined> =>
    await python(['docs/verify.py', `http://127.0.0.1:${(server.address() as AddressInfo).port}`])
  const whole = await verified()
  if (whole === undefined) {
    t.comment('SKIPPED: docs/verify.py was not run, because there is no python3 on this machine.')
    return
  }
  t.match(whole, { code: 0, stdout: /^8 receipts in 3 batches/ })
  const chance = chanceOf(seed)
  const all = [...answers]
  for (let found = 0; found < times(40);) {
    const [address, answer] = all[chance(all.length)] ?? ['', null]
    const flipped = flippedJson(answer, chance)
    const where = flipped === undefined ? undefined : differenceOf(answer, flipped)
    if (flipped === undefined || where === undefined || !isOfScript(address, where)) continue
    lie = [address.replace(/&limit=500$/, ''), flipped]
    t.match(
      await verified(),
      { code: 1, stderr: /It does not hold|It cannot be checked/ },
      `--seed=${seed} ${pathOf(address)} ${where}`
    )
    found += 1
  }
})

/** Columns that nothing follows from: a name that a foreign key alone uses, and the order in which keys are listed. */
const silent = new Set(['proof_keys.key_id', 'proof_keys.first_used_at'])
/** A draw that was not opened is in no answer; see below. */
const used: Record<string, string> = {
  draws: 'and opened_at is not null',
  draw_rates: 'and digest in (select rates_digest from draws where opened_at is not null)'
}

t.test('one flipped bit in any column is found, or the database refuses it', async t => {
  const chance = chanceOf(seed)
  const raw = async <Row>(sql: string, values: readonly string[] = []): Promise<Row[]> =>
    (await database.knex.raw<{ rows: Row[] }>(sql, [...values])).rows
  const columns = await raw<{
    table: string
    column: string
    type: string
  }>(`select table_name as table, column_name as column, data_type as type from information_schema.columns where table_schema = 'public'
    and table_name in ('draws', 'draw_rates', 'proof_batches', 'proof_epochs', 'proof_keys', 'proof_nodes') order by 1, ordinal_position`)
  t.equal(columns.length, 37)
  // What looks at many draws is kept for a while, so these two answers are those from before.
  const [now, kept] = [
    jsonReader(url),
    [...answers.keys()].filter(address => /\/(health|fairness)$/.test(pathOf(address)))
  ]
  const read = async (address: string): Promise<JsonValue> =>
    kept.includes(address) ? (answers.get(address) ?? null) : await now(address)
  const ways: Record<string, string> = {}
  for (const { table, column, type } of columns) {
    const rows = await raw<{ place: string; text: string }>(
      `select ctid::text as place, ??::text as text from ?? where ?? is not null ${used[table] ?? ''}`,
      [column, table, column]
    )
    const row = rows[chance(rows.length)]
    if (row === undefined) {
      ways[`${table}.${column}`] = 'is empty'
      continue
    }
    const flipped = flippedColumn(type, row.text, chance)
    // A forger, or a broken disk, keeps to no foreign key. The row moves when it is written.
    const write = async (place: string, text: string): Promise<string> =>
      await database.knex.transaction(async transaction => {
        await transaction.raw('set local session_replication_role = replica')
        return (
          (
            await transaction.raw<{ rows: { place: string }[] }>(
              `update ?? set ?? = ?::${type} where ctid = ?::tid returning ctid::text as place`,
              [table, column, text, place]
            )
          ).rows[0]?.place ?? ''
        )
      })
    const moved = await write(row.place, flipped).catch(() => undefined)
    const failure =
      moved === undefined
        ? undefined
        : await verifyService(url, read).then(
            () => undefined,
            (error: unknown) => error as Error
          )
    // The root of a whole tree is in no proof before the tree grows, so the service alone looks at it.
    const own = failure === undefined && table === 'proof_nodes' ? (await audit(database)).failures[0]?.what : undefined
    ways[`${table}.${column}`] =
      moved === undefined
        ? 'is refused by the database'
        : (failure?.message ?? own ?? (silent.has(`${table}.${column}`) ? 'nothing follows from it' : 'NOT FOUND'))
    if (ways[`${table}.${column}`] === 'NOT FOUND')
      t.fail(`--seed=${seed} ${table}.${column}: ${row.text} -> ${flipped}`)
    if (moved !== undefined) await write(moved, row.text)
  }
  t.comment(ways)
  t.match(await verifyService(url, read), { receipts: 8 }, 'and all is as it was')
})

t.test("a draw that was not opened is committed to: its seed changes in nobody's favour", async t => {
  const {
    data: { id, commitment }
  } = await ask('/api/v1/draws', {})
  const before = (await database.knex('draws').where({ id }).first<{ server_seed: string }>('server_seed')).server_seed
  await database
    .knex('draws')
    .where({ id })
    .update({ server_seed: before.replace(/^./, digit => (digit === '0' ? '1' : '0')) })
  t.match(await ask(`/api/v1/draws/${String(id)}/open`, { client_seed: before }), { data: { receipt: { commitment } } })
  await t.rejects(verifyService(url, jsonReader(url)), new RegExp(`${String(id)}.*commitment`))
})
