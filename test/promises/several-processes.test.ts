// test: long. Eight processes over one database: two services of one process, and one of four workers, each with a data
// folder of its own. A short run asks a quarter of the surfaces, in turns.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { requestOf } from '../../bin/promises/examples.ts'
import type { JsonObject } from '../../core/canonical/json.ts'
import { silent } from '../../core/database/connection.ts'
import { openDatabase } from '../../core/database/database.ts'
import { SharedReadings } from '../../surfaces/sources/exchange-rates.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { pantry } from '../support/command-line.ts'
import { inTurns } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { registryOf } from '../support/registry.ts'
import { withoutStamps } from '../support/same-answers.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService, stopService, type Service } from '../support/service.ts'

const folder = scratchFolder(t)
const { url } = await bundledDatabase(t)
const { registry } = await registryOf()
const start = (name: string, ...args: string[]): Promise<Service> =>
  startService(t, {
    args,
    env: {
      DATABASE_URL: url,
      PANTRY_DATA_DIR: join(folder, name),
      PANTRY_BASE_URL: 'https://cards.example',
      LOG_LEVEL: 'error'
    }
  })
const services = await Promise.all([start('one'), start('two'), start('three', '--workers', '4')])
for (const { url } of services)
  await eventually(async () => {
    if ((await fetch(`${url}/readyz`)).status !== 200) throw new Error('not ready')
  }, 60)

/** What belongs to one request or one process: what it counts of a caller, and when it was started. */
const ofOne = new Set(['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset', 'connection', 'keep-alive'])

/** Over a connection of its own, so that any of the workers may answer. */
async function ask(
  service: Service,
  path: string,
  init: RequestInit = {}
): Promise<Readonly<{ status: number; headers: object; text: string }>> {
  const response = await fetch(service.url + path, {
    redirect: 'manual',
    ...init,
    headers: { ...(init.headers as Record<string, string>), Connection: 'close' }
  })
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ofOne.has(name))),
    text: (await response.text()).replaceAll(new URL(service.url).host, 'cards.example')
  }
}

/**
 * Without stamps, and without the length, tag and hash of what has them. What is asked for again is compressed better
 * than the first time.
 */
function comparable({ status, headers, text }: Awaited<ReturnType<typeof ask>>): unknown {
  // The salt that callers are hashed with is the workers' own.
  const plain = withoutStamps(text).replace(/"address_hash":"[0-9a-f]{16}"/, 'ADDRESS')
  const { etag, 'content-length': length, 'last-modified': modified, ...others } = headers as Record<string, string>
  return {
    status,
    headers: JSON.parse(withoutStamps(JSON.stringify(others))) as unknown,
    plain,
    ...(plain === text ? { etag, modified, ...('content-encoding' in headers ? {} : { length }) } : {})
  }
}

t.test('no caller can tell the processes apart: every example of every surface', async t => {
  const chance: string[] = []
  let compared = 0
  const surfaces = inTurns(registry.surfaces, 4)
  for (const { id, examples } of surfaces) {
    for (const example of examples) {
      const request = requestOf(example)
      const [first, again] = [
        comparable(await ask(services[0], example.url, request)),
        comparable(await ask(services[0], example.url, request))
      ]
      if (JSON.stringify(first) !== JSON.stringify(again)) {
        chance.push(id)
        continue
      }
      compared += 1
      // The third is asked twice, as there are several of it.
      for (const service of [...services.slice(1), services[2]])
        t.strictSame(comparable(await ask(service, example.url, request)), first, `${id}: ${example.url}`)
    }
  }
  t.ok(compared > surfaces.length / 2, `${compared} examples of ${surfaces.length} surfaces`)
  t.ok(new Set(chance).size <= 10, `few surfaces answer by chance or the clock: ${[...new Set(chance)].join(', ')}`)
})

t.test('a practice match that was begun at one goes on at all others', async t => {
  type Match = Readonly<{ game: JsonObject; legal_actions: readonly { move: JsonObject }[] }>
  const play = async (service: Service, body: object): Promise<Match> => {
    const { status, text } = await ask(service, '/api/v1/play/practice', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body)
    })
    t.equal(status, 200, text.slice(0, 300))
    const value = JSON.parse(text) as Match & { data?: Match }
    return value.data ?? value
  }
  let match = await play(services[2], { op: 'new' })
  for (let turn = 0; turn < 12 && match.legal_actions.length > 0; turn++)
    match = await play(services[turn % 3]!, { op: 'move', game: match.game, move: match.legal_actions[0]!.move })
})

t.test('what one writes, the others show at once', async t => {
  const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
  t.teardown(() => database.close())
  const rates = async (service: Service): Promise<string> =>
    withoutStamps((await ask(service, '/api/v1/fx-rates')).text)
  const before = await rates(services[0])
  await new SharedReadings(database).put('reference-rates', {
    readAt: Date.now(),
    value: { date: '2026-11-20', per_euro: { EUR: 1, GBP: 0.8, USD: 1.2, JPY: 160, HKD: 9, CHF: 0.9 } }
  })
  const after = await Promise.all([...services, services[2]].map(rates))
  t.not(after[0], before)
  t.equal(new Set(after).size, 1, 'rates that another process has read')

  mkdirSync(join(folder, 'swu', 'sets'), { recursive: true })
  writeFileSync(
    join(folder, 'swu', 'sets', 'One.json'),
    JSON.stringify([{ Set: 'ONE', Number: '100', Name: 'A card of several processes' }])
  )
  const paths = [
    '/api/v1/universal/card/swu-one-100-en',
    '/api/v1/universal/games',
    '/api/v1/coverage',
    '/api/v1/search/cards?game=swu&q=one-100',
    '/api/v1/universal/sets/swu'
  ]
  const shown = (): Promise<string[][]> =>
    Promise.all(
      [...services, services[2]].map(async service =>
        Promise.all(paths.map(async path => withoutStamps((await ask(service, path)).text)))
      )
    )
  const [old] = await shown()
  t.match(await pantry(['import', 'swu-json', '--from', join(folder, 'swu')], { DATABASE_URL: url }), { code: 0 })
  const [now = [], ...others] = await shown()
  for (const [at, path] of paths.entries()) t.not(now[at], old?.[at], path)
  for (const other of others) t.strictSame(other, now)
})

t.test('all stop as asked', async t => {
  for (const service of services) t.equal(await stopService(service), 0)
})
