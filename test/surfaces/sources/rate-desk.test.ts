import assert from 'node:assert/strict'
import t from 'tap'
import {
  RateCache,
  SharedReadings,
  type RateCurrency,
  type ReferenceRates
} from '../../../surfaces/sources/exchange-rates.ts'
import { testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

const hour = 3_600_000
const currency = (code: string, perPound: number): RateCurrency => ({
  code,
  name: code,
  symbol: code,
  locale: 'en-GB',
  decimals: 2,
  fallback: { as_of: '2026-05-14', per_pound: perPound }
})
const currencies = [currency('GBP', 1), currency('USD', 1.27), currency('JPY', 188.5)]
const ratesOf = (date: string): ReferenceRates => ({
  date,
  perEuro: new Map([
    ['EUR', 1],
    ['GBP', 0.8],
    ['USD', 1.2],
    ['JPY', 160]
  ])
})

function desk(readings: (() => Promise<ReferenceRates>)[], patience = 10_000) {
  const clock = { now: Date.parse('2026-11-20T12:00:00Z'), readings: 0, failures: [] as string[] }
  const read = (): Promise<ReferenceRates> => {
    clock.readings += 1
    return readings.shift()?.() ?? Promise.reject(new Error('no more'))
  }
  return {
    clock,
    desk: new RateCache({
      currencies,
      read,
      failed: reason => {
        clock.failures.push(reason)
      },
      now: () => clock.now,
      patience
    })
  }
}

t.test('a rate is units per euro divided by pounds per euro', async t => {
  const { desk: rates } = desk([() => Promise.resolve(ratesOf('2026-11-19'))])
  const table = await rates.table()
  t.equal(table.asOf, '2026-11-19T00:00:00.000Z')
  t.equal(table.fetchedAt, '2026-11-20T12:00:00.000Z')
  t.same(
    [...table.perPound],
    [
      ['GBP', 1],
      ['USD', 1.5],
      ['JPY', 200]
    ]
  )
})

t.test('a table is kept for six hours, and callers at once share one reading', async t => {
  const { clock, desk: rates } = desk([
    () => Promise.resolve(ratesOf('2026-11-19')),
    () => Promise.resolve(ratesOf('2026-11-20'))
  ])
  await Promise.all([rates.table(), rates.table(), rates.table()])
  clock.now += 6 * hour - 1
  t.equal((await rates.table()).asOf, '2026-11-19T00:00:00.000Z')
  t.equal(clock.readings, 1)
  clock.now += 1
  t.equal((await rates.table()).asOf, '2026-11-20T00:00:00.000Z')
  t.equal(clock.readings, 2)
})

t.test('a failure keeps the day of the table and is not repeated at once', async t => {
  const { clock, desk: rates } = desk([() => Promise.resolve(ratesOf('2026-11-19'))])
  const first = await rates.table()
  clock.now += 7 * hour
  t.equal(await rates.table(), first)
  t.equal(await rates.table(), first)
  t.equal(clock.readings, 2)
  t.same(clock.failures, ['no more'])
  clock.now += 300_000
  await rates.table()
  t.equal(clock.readings, 3)
})

t.test('without a table the dated fallback is used', async t => {
  const { desk: rates } = desk([])
  const table = await rates.table()
  t.equal(table.fetchedAt, null)
  t.equal(table.asOf, '2026-05-14T00:00:00.000Z')
  t.equal(table.perPound.get('USD'), 1.27)
})

t.test('a table without a needed currency is a failure', async t => {
  const { clock, desk: rates } = desk([() => Promise.resolve({ date: '2026-11-19', perEuro: new Map([['GBP', 0.8]]) })])
  t.equal((await rates.table()).fetchedAt, null)
  t.same(clock.failures, ['There is no rate of USD.'])
})

t.test('a slow reading does not hold its callers, and is used when it comes', async t => {
  let answer: (rates: ReferenceRates) => void = () => undefined
  const { desk: rates } = desk(
    [
      () =>
        new Promise(resolve => {
          answer = resolve
        })
    ],
    5
  )
  t.equal((await rates.table()).fetchedAt, null)
  answer(ratesOf('2026-11-19'))
  t.equal((await rates.table()).asOf, '2026-11-19T00:00:00.000Z')
})

t.test('a clock that was set back keeps no table and no pause longer than they are', async t => {
  const { clock, desk: rates } = desk([
    () => Promise.resolve(ratesOf('2026-11-19')),
    () => Promise.reject(new Error('away')),
    () => Promise.resolve(ratesOf('2026-11-18'))
  ])
  await rates.table()
  clock.now -= 365 * 24 * hour
  await rates.table()
  t.equal(clock.readings, 2, 'the table counts as old')
  clock.now -= hour
  t.equal((await rates.table()).asOf, '2026-11-18T00:00:00.000Z', 'the pause after a failure counts as over')
})

t.test('desks of several processes show the newest reading of all, also the one that could not read', async t => {
  const { database } = await testDatabase(t)
  let now = Date.parse('2026-11-20T12:00:00Z')
  const deskOf = (read: () => Promise<ReferenceRates>): RateCache =>
    new RateCache({ currencies, read, failed: () => undefined, now: () => now, shared: new SharedReadings(database) })
  const [reads, fails, later] = [
    deskOf(() => Promise.resolve(ratesOf('2026-11-19'))),
    deskOf(() => Promise.reject(new Error('away'))),
    deskOf(() => Promise.resolve(ratesOf('2026-11-20')))
  ]
  await eventually(() => {
    assert.ok(database.reader.connected() > 0)
  })
  t.equal((await fails.table()).fetchedAt, null, 'nobody has read yet')
  const first = await reads.table()
  t.same(await fails.table(), first)
  now += 6 * hour
  const second = await later.table()
  t.equal(second.asOf, '2026-11-20T00:00:00.000Z')
  t.same([await reads.table(), await fails.table()], [second, second])
})

t.test('a shared reading that lacks a currency is told once', async t => {
  const failures: string[] = []
  const shared = {
    last: () => Promise.resolve({ readAt: 1, value: { date: '2026-11-19', per_euro: { GBP: 0.8 } } }),
    put: () => Promise.resolve()
  }
  const rates = new RateCache({
    currencies,
    read: () => Promise.resolve(ratesOf('2026-11-20')),
    failed: reason => {
      failures.push(reason)
    },
    shared,
    now: () => 0
  })
  t.equal((await rates.table()).asOf, '2026-11-20T00:00:00.000Z')
  await rates.table()
  t.same(failures, ['There is no rate of USD.'])
})
