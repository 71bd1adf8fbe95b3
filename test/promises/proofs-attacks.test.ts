// test: slow.
import { once } from 'node:events'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import type { JsonValue } from '../../core/canonical/json.ts'
import { chainHashOf, type Batch } from '../../surfaces/proofs/batches.ts'
import { Chain, OwnFiles } from '../../surfaces/proofs/chain.ts'
import { jsonReader } from '../../surfaces/proofs/outside.ts'
import { verifyService } from '../../surfaces/proofs/verify-service.ts'
import { pantry } from '../support/command-line.ts'
import { serveDraws, someSeed, type Proving } from '../support/draws.ts'
import { eventually } from '../support/eventually.ts'
import { python } from '../support/python.ts'

type Audit = Readonly<{ batch: number; draws: Record<string, number>; failures: readonly { what: string }[] }>

const auditOf = async ({ ask }: Proving, isMeant: (audit: Audit) => boolean): Promise<Audit> =>
  await eventually(async () => {
    const audit = (await ask('/api/verify/health')).data['self_audit'] as Audit
    if (!isMeant(audit)) throw new Error(JSON.stringify(audit))
    return audit
  })

/** What becomes of an answer at the hands of a service that lies. */
const told = async (url: string, lie: (text: string, path: string) => string, remembered?: Batch): Promise<unknown> => {
  const read = jsonReader(url)
  return await verifyService(
    url,
    async address => JSON.parse(lie(JSON.stringify(await read(address)), new URL(address).pathname)) as JsonValue,
    remembered
  )
}

t.test(
  'a draw that is taken away before it is signed is missed, by the service, the command and the script',
  async t => {
    const proving = await serveDraws(t)
    const {
      ask,
      drawn,
      database,
      served: { url }
    } = proving
    await drawn(2)
    await ask('/api/v1/draws', {})
    const late = String((await ask('/api/v1/draws', {})).data['id'])
    await database
      .knex('draws')
      .where({ id: late })
      .update({ begun_at: database.knex.raw("now() - interval '61 minutes'") })
    await drawn(1)
    t.match(
      await auditOf(proving, ({ draws }) => draws['in_chain'] === 3),
      { draws: { begun: 5, in_chain: 3, waiting: 0, unopened: 1, expired: 1 }, failures: [] },
      'what was not opened is counted'
    )
    t.match(await pantry(['verify', url]), { code: 0 })
    const [hidden] = await drawn(2)
    await database.knex('draws').where({ id: hidden }).delete()
    await auditOf(proving, ({ failures }) => failures[0]?.what === 'Of 7 draws that began 1 are not there.')
    t.match(await ask('/api/verify/health'), { data: { all_well: false } })
    t.match(await pantry(['verify', url]), { code: 1, stderr: /Of 7 draws that began 1 are not there/ })
    const script = await python(['docs/verify.py', url])
    if (script !== undefined) t.match(script, { code: 1, stderr: /1 are not there/ })
  }
)

t.test('a last batch that is hidden is missed, whether health counts it, or any answer names it', async t => {
  const proving = await serveDraws(t)
  const {
    ask,
    drawn,
    served: { url }
  } = proving
  for (let batch = 0; batch < 3; batch += 1) {
    await drawn(2)
    await ask('/api/verify/chain')
  }
  await auditOf(proving, ({ draws }) => draws['in_chain'] === 6)
  const recorded = new Map<string, string>()
  let isRecording = true
  let isTrue: (path: string) => boolean = () => false
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const answer = async (): Promise<string> =>
      isRecording || isTrue(path) ? await (await fetch(url + path)).text() : (recorded.get(path) ?? '')
    void answer().then(text => {
      if (isRecording) recorded.set(path, text)
      response.end(text)
    })
  }).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.close()
  })
  await once(server, 'listening')
  const script = async () =>
    await python(['docs/verify.py', `http://127.0.0.1:${(server.address() as AddressInfo).port}`])
  const whole = await script()
  if (whole === undefined) return
  t.match(whole, { code: 0, stdout: /^6 receipts in 3 batches/ })
  isRecording = false
  await drawn(1)
  await ask('/api/verify/chain')
  await auditOf(proving, ({ draws }) => draws['in_chain'] === 7)
  t.match(await script(), { code: 0 }, 'who shows nothing newer anywhere is found by those who remember')
  isTrue = path => path === '/api/verify/health'
  t.match(await script(), { code: 1, stderr: /a tip, which is not in the chain/ })
  const health = recorded.get('/api/verify/health') ?? ''
  isTrue = () => false
  recorded.set('/api/verify/health', health.replace('"in_chain":6', '"in_chain":7').replace('"begun":6', '"begun":7'))
  t.match(await script(), { code: 1, stderr: /7 are said to be in the chain, and 6 are there/ })
  recorded.set('/api/verify/health', health)
  isTrue = path => path.startsWith('/api/verify/chain') && path.endsWith('from_id=1')
  t.match(
    await script(),
    { code: 1, stderr: /It does not hold|It cannot be checked/ },
    'a batch whose receipts are not shown'
  )
})

t.test('batches that are taken away are missed', async t => {
  const {
    ask,
    drawn,
    database,
    served: { url }
  } = await serveDraws(t)
  for (let batch = 0; batch < 3; batch += 1) {
    await drawn(2)
    await ask('/api/verify/chain')
  }
  const {
    data: { tip }
  } = (await ask('/api/verify/chain')) as unknown as { data: { tip: Batch } }
  await database.knex('draws').where({ batch: 3 }).delete()
  await database.knex('proof_nodes').whereRaw('(index + 1) * (1 << level) > 4').delete()
  await database.knex('proof_batches').where({ batch: 3 }).delete()
  rmSync(join(t.testdirName, 'proofs-head'))
  await t.rejects(
    told(url, text => text, tip),
    /seen before is not in the chain: another history is shown. The chain was shortened; the head is signed and proves it/
  )
  await t.rejects(
    told(url, text => text, { ...tip, head: { ...tip.head, root: '0'.repeat(64) } }),
    /No published key signed it/
  )
  await drawn(2)
  await t.rejects(
    told(url, text => text, tip),
    /Both heads are signed and prove it/
  )
  await database.knex('draws').where({ batch: 2 }).delete()
  await database.knex('proof_batches').where({ batch: 2 }).delete()
  await t.rejects(
    told(url, text => text),
    /Batch 3 does not follow what was signed before it/
  )
})

t.test('an epoch is named to whoever checks, and whoever saw the lost head is told', async t => {
  const proving = await serveDraws(t)
  const {
    ask,
    drawn,
    database,
    served: { url }
  } = proving
  await drawn(2)
  await ask('/api/verify/chain')
  await drawn(1)
  const seen = join(t.testdirName, 'seen.json')
  t.match(await pantry(['verify', url, '--remember', seen]), { code: 0, stderr: '' })
  await database.knex('draws').where({ batch: 2 }).delete()
  await database.knex('proof_nodes').where('index', '>=', 2).delete()
  await database.knex('proof_batches').where({ batch: 2 }).delete()
  t.match(await pantry(['verify', url]), { code: 1, stderr: /its chain does not go on/ })
  await new Chain(database, new OwnFiles(t.testdirName), { error: () => undefined }).declare('A disk was lost.')
  await drawn(1)
  await auditOf(proving, ({ batch }) => batch === 3)
  t.match(await pantry(['verify', url]), {
    code: 0,
    stdout: /^3 receipts in 2 signed heads/,
    stderr: /Epoch 2 was declared at .*signed head [0-9a-f]{64} was lost: A disk was lost\./
  })
  t.match(await pantry(['verify', url, '--remember', seen]), {
    code: 1,
    stderr: /Epoch 2 declares that it was lost: A disk was lost\./
  })
  await t.rejects(
    told(url, text => text.replaceAll('A disk was lost.', 'All was well.')),
    /does not follow/
  )
})

t.test('a key that was replaced signs no more, and whoever signs with it is found out', async t => {
  const {
    ask,
    drawn,
    served: { url }
  } = await serveDraws(t)
  const [file, old, newer] = ['proofs-key', 'old-key', 'newer-key'].map(name => join(t.testdirName, name)) as [
    string,
    string,
    string
  ]
  await drawn(1)
  await ask('/api/verify/chain')
  renameSync(file, old)
  await drawn(1)
  await ask('/api/verify/chain')
  t.match(await pantry(['verify', url]), { code: 0 })
  renameSync(file, newer)
  renameSync(old, file)
  await drawn(1)
  t.match(await ask('/api/verify/chain'), {
    data: { halted: /Another key replaced the one in this data folder/, batches: { length: 2 } }
  })
  const { keyId, sign } = await new OwnFiles(t.testdirName).signer()
  rmSync(file)
  renameSync(newer, file)
  const {
    data: { tip, halted }
  } = (await ask('/api/verify/chain')) as unknown as { data: { tip: Batch; halted: null } }
  t.equal(halted, null)
  const head = { ...tip.head, key_id: keyId }
  const forged: Batch = { ...tip, head, signature: sign(head), chain_hash: chainHashOf(head) }
  const lie = (text: string): string => text.replaceAll(JSON.stringify(tip), JSON.stringify(forged))
  t.not(lie(JSON.stringify(tip)), JSON.stringify(tip))
  await t.rejects(told(url, lie), /Batch 3 is signed with the key .* which another one had replaced/)
  await t.rejects(
    told(url, (text, path) =>
      path.startsWith('/.well-known')
        ? text.replace(
            keyId,
            keyId.replace(/^./, sign => (sign === 'A' ? 'B' : 'A'))
          )
        : text
    ),
    /has another id/
  )
  await t.rejects(
    told(url, (text, path) => (path.startsWith('/.well-known') ? text.replace(/\{"kty"[^}]*\},/, '') : text)),
    /not signed by a published key/
  )
})

t.test('what is said of fairness follows from the receipts, or is found out', async t => {
  const proving = await serveDraws(t)
  const {
    drawn,
    served: { url }
  } = proving
  await drawn(31)
  await auditOf(proving, ({ draws }) => draws['in_chain'] === 31)
  t.match(await pantry(['verify', url]), { code: 0, stdout: /^31 receipts/ })
  const lies: readonly (readonly [RegExp, string, RegExp])[] = [
    [/"observed":(\d+)/, '"observed":1$1', /fairness does not follow/],
    [/"p_value":[^,}]+/, '"p_value":0.5', /fairness does not follow/],
    [/"opened":31/, '"opened":32', /fairness does not follow/],
    [/"from":"\d{4}/, '"from":"1999', /window of fairness/],
    [/"batch":1/, '"batch":0', /fairness does not follow/],
    [/"enough_samples":true/, '"enough_samples":false', /fairness does not follow/]
  ]
  for (const [from, to, why] of lies)
    await t.rejects(
      told(url, (text, path) => (path.endsWith('/fairness') ? text.replace(from, to) : text)),
      why,
      String(from)
    )
})

t.test('odd and large questions are answered with 400 or 404', async t => {
  const {
    ask,
    drawn,
    served: { get }
  } = await serveDraws(t)
  await drawn(1)
  const odd = [
    '0',
    '-1',
    '2147483648',
    '9007199254740993',
    '1e3',
    '0x1',
    '1.5',
    'NaN',
    '%00',
    "1'--",
    '..%2f',
    '\u0661'.repeat(3),
    'a'.repeat(2_000)
  ]
  const paths = odd.flatMap(one => [
    `/api/verify/digests/${one}`,
    `/api/verify/digests?limit=${one}`,
    `/api/verify/digests?before=${one}`,
    `/api/verify/chain?limit=${one}`,
    `/api/verify/chain?from_id=${one}`,
    `/api/verify/receipts/${one}`,
    `/api/verify/receipts?id=${one}`,
    `/api/verify/rates/${one}`,
    `/api/verify/consistency?from=${one}&to=1`,
    `/api/verify/consistency?from=1&to=${one}`
  ])
  for (const path of paths) t.ok([400, 404].includes((await get(path)).status), path.slice(0, 80))
  await ask('/api/verify/chain')
  t.match(await ask('/api/verify/consistency?from=1&to=1'), { status: 200, data: { path: [] } })
  t.match(await ask('/api/verify/consistency?from=1&to=2147483647'), { status: 404 })
  t.match(await ask('/api/verify/digests?before=2147483647'), { data: { count: 1 } })
  const place = {
    place: '1',
    rarities: Array.from({ length: 60 }, (_, at) => ({ rarity: String(at), weight: 2 ** 25 + 1 }))
  }
  const rates = {
    '@kind': 'booster-rates/1',
    game: 'x',
    set: 'x',
    source: 'x',
    packs: [{ name: 'x', weight: 1, places: Array.from({ length: 30 }, () => place) }]
  }
  t.equal(
    (await ask('/api/verify/compute', { server_seed: someSeed(), client_seed: someSeed(), nonce: 2 ** 53 - 1, rates }))
      .status,
    200,
    'as many places and choices as there may be'
  )
  const heavy = {
    ...rates,
    packs: [
      { name: 'x', weight: 2 ** 32, places: [] },
      { name: 'y', weight: 1, places: [] }
    ]
  }
  for (const body of [
    { nonce: -1 },
    { nonce: 2 ** 53 },
    { nonce: 1.5 },
    { rates: null },
    { rates: { ...rates, packs: [] } },
    { rates: heavy }
  ])
    t.equal(
      (await ask('/api/verify/compute', { server_seed: someSeed(), client_seed: someSeed(), nonce: 1, rates, ...body }))
        .status,
      400
    )
})

t.test('a day keeps 10,000 draws unless the operator says otherwise', async t => {
  const { ask, database } = await serveDraws(t)
  await ask('/api/v1/draws', {})
  const many = async (count: number): Promise<void> => {
    await database.knex.raw(
      'insert into draws (nonce, rates_digest, commitment, server_seed) select nonce + more, rates_digest, commitment, server_seed from draws, generate_series(1, ?) as more where nonce = (select max(nonce) from draws)',
      [count]
    )
  }
  await many(9_998)
  t.match(await ask('/api/v1/draws', {}), { status: 200, data: { nonce: 10_000 } })
  t.match(await ask('/api/v1/draws', {}), {
    status: 503,
    error: { details: { most_in_a_day: 10_000 } },
    retryAfter: /^\d+$/
  })
})

t.test('the rates are those of the package that states them', async t => {
  const { ask } = await serveDraws(t)
  type Stated = Record<
    string,
    Record<string, { appearance_rate: number; slots: Record<string, Record<string, number>> }>
  >
  const stated = JSON.parse(
    readFileSync(
      join(
        createRequire(import.meta.url).resolve('pokemon-tcg-pocket-database/package.json'),
        '..',
        'dist',
        'pullRates.json'
      ),
      'utf8'
    )
  ) as Stated
  t.ok(Object.keys(stated).length > 5)
  for (const [code, packs] of Object.entries(stated)) {
    const {
      data: { rates_digest: digest }
    } = await ask('/api/v1/draws', { set: code.toLowerCase() })
    const { data: rates } = (await ask(`/api/verify/rates/${String(digest)}`)) as unknown as {
      data: {
        source: string
        packs: {
          name: string
          weight: number
          places: { place: string; rarities: { rarity: string; weight: number }[] }[]
        }[]
      }
    }
    t.equal(rates.source, 'pokemon-tcg-pocket-database')
    t.same(
      Object.fromEntries(
        rates.packs.map(({ name, weight, places }) => [
          name,
          {
            appearance_rate: weight / 10_000,
            slots: Object.fromEntries(
              places.map(({ place, rarities }) => [
                place,
                Object.fromEntries(rarities.map(({ rarity, weight }) => [rarity, weight / 10_000]))
              ])
            )
          }
        ])
      ),
      Object.fromEntries(
        Object.entries(packs).map(([name, { appearance_rate: share, slots }]) => [
          name,
          { appearance_rate: share, slots }
        ])
      ),
      code
    )
  }
})
