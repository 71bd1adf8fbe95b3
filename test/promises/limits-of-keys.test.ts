// test: long. A thousand keys at their limits, over three processes and one database: some forty thousand requests, or
// in a short run a tenth.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import t from 'tap'
import { Keys, tierNames, tiers, windowSeconds, type Tier } from '../../surfaces/people/keys.ts'
import { Client } from '../endurance/client.ts'
import { quantile } from '../endurance/figures.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { databaseAt } from '../support/database.ts'
import { inTurns } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService } from '../support/service.ts'

/** How many keys of each tier, and how many requests beyond its limit each sends in a window. */
const counts: Readonly<Record<Tier, number>> = { free: 940, standard: 50, partner: 10 }
const beyond = 3
/** Requests on their way at once. */
const atOnce = 9

type Answer = Readonly<{
  status: number
  ms: number
  reason: string
  remaining: string
  retryAfter: string
  reset: string
  limit: string
}>

const folder = scratchFolder(t)
const { url } = await bundledDatabase(t)
const database = await databaseAt(t, url)
const services = await Promise.all(
  ['one', 'two', 'three'].map(
    async name =>
      await startService(t, {
        args: [],
        env: { DATABASE_URL: url, PANTRY_DATA_DIR: join(folder, name), LOG_LEVEL: 'warn' }
      })
  )
)
for (const { url: own } of services)
  await eventually(async () => {
    if ((await fetch(`${own}/readyz`)).status !== 200) throw new Error('not ready')
  }, 60)

const store = new Keys(database)
const made: { key: string; id: string; tier: Tier }[] = []
for (const [at, tier] of inTurns(
  tierNames.flatMap(tier => Array.from({ length: counts[tier] }, () => tier))
).entries()) {
  const {
    key,
    made: { id }
  } = await store.create({ kind: 'agent', name: `${tier} ${at}`, contact: 'test@example.org', tier })
  made.push({ key, id, tier })
}
t.same([...new Set(made.map(({ tier }) => tier))].sort(), [...tierNames].sort())

const clients = services.map(({ url: own }) => new Client(Number(new URL(own).port), atOnce))
t.teardown(() => {
  for (const client of clients) client.close()
})
const text = (value: string | readonly string[] | undefined): string => String(value ?? '')

async function ask(client: Client, key: string): Promise<Answer> {
  const {
    status,
    ms,
    reason = '',
    headers = {}
  } = await client.send({
    surface: 'coverage/hunt/cases',
    method: 'GET',
    target: '/api/v1/coverage/hunt/cases',
    headers: { Authorization: `Bearer ${key}` }
  })
  return {
    status,
    ms,
    reason,
    remaining: text(headers['ratelimit-remaining']),
    retryAfter: text(headers['retry-after']),
    reset: text(headers['ratelimit-reset']),
    limit: text(headers['ratelimit-limit'])
  }
}

/** Keys that ask at the same time: few enough that a slow machine is through with them within a window. */
const together: Readonly<Record<Tier, number>> = { free: 40, standard: 25, partner: 5 }

/** Each key asks beyond its limit; its requests are spread over the processes, and between those of other keys. */
const due = tierNames.flatMap(tier => {
  const keys = made.filter(one => one.tier === tier)
  return Array.from({ length: Math.ceil(keys.length / together[tier]) }, (_, at) =>
    keys.slice(at * together[tier], (at + 1) * together[tier])
  ).flatMap(some => Array.from({ length: tiers[tier] + beyond }, (_, at) => some.map(one => ({ ...one, at }))).flat())
})

t.test('a key is let through as often as its tier says, and no more, whichever process it asks', async t => {
  const answers = new Map<string, Answer[]>(made.map(({ id }) => [id, []]))
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async (_, worker) => {
      for (let one = due[next++]; one !== undefined; one = due[next++]) {
        const at = (one.at + worker) % services.length
        answers.get(one.id)!.push(await ask(clients[at]!, one.key))
      }
    })
  )
  const seconds = (performance.now() - began) / 1000

  const all = [...answers.values()].flat()
  t.equal(all.length, due.length)
  t.same([...new Set(all.map(({ status, reason }) => `${status} ${reason}`))].sort(), ['200 ', '429 '], 'nothing else')
  const unexpected = all.filter(({ status }) => status !== 200 && status !== 429).length
  t.equal(unexpected, 0, services.map(({ stderr }) => stderr().slice(-600)).join('\n'))
  let windows = 0
  let wrong = 0
  for (const { id, tier } of made) {
    const limit = tiers[tier]
    const own = answers.get(id)!
    const places = own
      .filter(({ status }) => status === 200)
      .map(({ remaining }) => Number(remaining))
      .sort((a, b) => b - a)
    // Each window hands out the places below the limit once: as many windows as there are answers with the first place.
    const begun = places.filter(place => place === limit - 1).length
    windows += begun
    const times = new Map<number, number>()
    for (const place of places) times.set(place, (times.get(place) ?? 0) + 1)
    const isSound =
      begun >= 1 &&
      places.every(place => place >= 0 && place < limit) &&
      [...times].every(([place, count]) => count <= (times.get(place + 1) ?? begun)) &&
      // In one window exactly the limit is let through.
      (begun > 1 || (places.length === limit && own.length - places.length === beyond))
    const refused = own.filter(({ status }) => status === 429)
    const isTold =
      own.every(one => one.limit === String(limit)) &&
      refused.every(
        ({ remaining, retryAfter, reset }) =>
          remaining === '0' && retryAfter === reset && Number(retryAfter) >= 1 && Number(retryAfter) <= windowSeconds
      )
    // Nobody is refused before the last place of a window is given.
    const isEarned = refused.length === 0 || times.has(0)
    if (!isSound || !isTold || !isEarned) wrong += 1
  }
  t.equal(wrong, 0, 'keys with an answer too many or too few')
  const times = all.map(({ ms }) => ms)
  const count = (wanted: number): number => all.filter(({ status }) => status === wanted).length
  const figures = {
    keys: made.length,
    processes: services.length,
    requests: all.length,
    seconds: Math.round(seconds),
    perSecond: Math.round(all.length / seconds),
    p50Ms: Math.round(quantile(times, 0.5)),
    p99Ms: Math.round(quantile(times, 0.99)),
    letThrough: count(200),
    refused: count(429),
    others: all.length - count(200) - count(429),
    windows,
    keysWithExactlyTheirLimit: made.filter(
      ({ id, tier }) => answers.get(id)!.filter(({ status }) => status === 200).length === tiers[tier]
    ).length
  }
  mkdirSync('.test/endurance', { recursive: true })
  writeFileSync('.test/endurance/limits-of-keys.json', `${JSON.stringify(figures, null, 1)}\n`)
  t.ok(figures.refused > 0, JSON.stringify(figures))
})
