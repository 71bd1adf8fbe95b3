import { setTimeout as sleep } from 'node:timers/promises'
import { Text, Type, type DataOf, type JsonObject, type JsonValue } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'
import { SaxesParser } from 'saxes'
import { elapsed, isCalendarDate } from '../common/calendar.ts'
import { fetchPublic } from './read-public.ts'

/** The reference rates of one day: units of each currency per euro. */
export type ReferenceRates = Readonly<{ date: string; perEuro: ReadonlyMap<string, number> }>

const rateForm = /^\d{1,9}(?:\.\d{1,9})?$/

/**
 * Parses the daily document of the European Central Bank (`eurofxref-daily.xml`): `<Cube time="…">` around one `<Cube
 * currency="…" rate="…"/>` per currency. Throws an Error when it is malformed, has no date or several, or a rate that
 * is not a positive number.
 */
export function parseReferenceRates(xml: string): ReferenceRates {
  const parser = new SaxesParser()
  const perEuro = new Map<string, number>([['EUR', 1]])
  const dates: string[] = []
  parser.on('error', error => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('A document type is not expected.')
  })
  parser.on('opentag', ({ attributes: { time, currency, rate } }) => {
    if (time !== undefined) dates.push(time)
    if (currency === undefined) return
    const value = rateForm.test(rate ?? '') ? Number(rate) : 0
    if (value <= 0 || perEuro.has(currency)) throw new Error(`The rate of ${currency} cannot be used.`)
    perEuro.set(currency, value)
  })
  parser.write(xml).close()
  const [date = ''] = dates
  if (dates.length !== 1 || !isCalendarDate(date)) throw new Error('The document does not name one day.')
  return { date, perEuro }
}

const site = 'https://www.ecb.europa.eu'

export const centralBank = {
  url: `${site}/stats/eurofxref/eurofxref-daily.xml`,
  pageUrl: `${site}/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html`,
  policyUrl: `${site}/services/disclaimer/html/index.en.html`
}

/**
 * Reads the reference rates of the last working day. Rejects after 8 s, above 64 KiB, and when the response is not the
 * expected document.
 */
export async function readReferenceRates(url = centralBank.url): Promise<ReferenceRates> {
  const reading = await fetchPublic(url, { timeoutMs: 8_000, maxBytes: 65_536, accept: 'application/xml, text/xml' })
  if (reading.state !== 'read')
    throw new Error(
      reading.state === 'status' ? `The bank answered ${reading.status}.` : `The reading ended as \`${reading.state}\`.`
    )
  return parseReferenceRates(reading.text)
}

const columns = [Text, Text, Text] as const

/** A value that was read from an outside service, and when, in milliseconds since 1970. */
type OutsideReading = Readonly<{ readAt: number; value: JsonValue }>

/**
 * The latest readings of outside services, shared by all processes on a database so that they show the same. Neither
 * method rejects: without the database, each process uses its own readings.
 */
export class SharedReadings {
  readonly #knex: Database['knex']
  readonly #last: Loader<RowOf<typeof columns>>

  constructor({ knex, reader }: Pick<Database, 'knex' | 'reader'>) {
    this.#knex = knex
    this.#last = reader.createLoader({
      name: 'outside_readings',
      sql: 'select name, floor(extract(epoch from read_at) * 1000)::text, value::text from outside_readings where name = any($1)',
      columns,
      keyOf: row => row[0]
    })
  }

  async last(name: string): Promise<OutsideReading | undefined> {
    const row = await this.#last.load(name).catch(() => undefined)
    return row === undefined ? undefined : { readAt: Number(row[1]), value: JSON.parse(row[2]) as JsonValue }
  }

  /** Stores a reading, unless a newer one is stored. */
  async put(name: string, { readAt, value }: OutsideReading): Promise<void> {
    await this.#knex
      .raw(
        `
      insert into outside_readings (name, read_at, value) values (?, to_timestamp(?::double precision / 1000), ?::jsonb)
      on conflict (name) do update set read_at = excluded.read_at, value = excluded.value where outside_readings.read_at < excluded.read_at`,
        [name, readAt, JSON.stringify(value)]
      )
      .catch(() => undefined)
  }
}

/** An entry of the corpus `currencies`. */
export const RateCurrency = Type.Object({
  code: Text,
  name: Text,
  symbol: Text,
  locale: Text,
  decimals: Type.Integer(),
  fallback: Type.Object({ as_of: Text, per_pound: Type.Number() })
})
export type RateCurrency = DataOf<typeof RateCurrency>

/** The rates of one day: units of each currency per pound sterling. `fetchedAt` is null for the fallback table. */
type RateTable = Readonly<{ asOf: string; fetchedAt: string | null; perPound: ReadonlyMap<string, number> }>

type RateCacheOptions = Readonly<{
  currencies: readonly RateCurrency[]
  /** Reads the reference rates; rejects when they cannot be read or used. */
  read: () => Promise<ReferenceRates>
  failed: (reason: string) => void
  /** Readings that all processes share. */
  shared?: Pick<SharedReadings, 'last' | 'put'> | undefined
  now?: () => number
  /** How long a caller waits for a reading, in milliseconds. The reading continues after that. */
  patience?: number
}>

const ttlMs = 6 * 3_600_000
const pauseAfterFailure = 300_000
const sharedName = 'reference-rates'

const midnight = (day: string): string => `${day}T00:00:00.000Z`

/**
 * Caches one table for six hours and reads the next one on demand. After a failed reading the last table stays in use;
 * the fallback is returned only if there has never been one. Desks with the same `shared` all use its newest reading.
 * No declared job reads the rates, because the bank is to be asked only where somebody asks for them.
 */
export class RateCache {
  readonly currencies: readonly RateCurrency[]
  readonly #options: Required<RateCacheOptions>
  readonly #fallback: RateTable
  #held: RateTable | undefined
  #readAt = -Infinity
  /** The `readAt` of the shared reading that was last looked at. */
  #sharedAt = -Infinity
  #failedAt = -Infinity
  #reading: Promise<void> | undefined

  constructor(options: RateCacheOptions) {
    this.#options = { now: Date.now, patience: 1_500, shared: undefined, ...options }
    this.currencies = options.currencies
    const [oldest = '1970-01-01'] = options.currencies.map(({ fallback }) => fallback.as_of).sort()
    this.#fallback = {
      asOf: midnight(oldest),
      fetchedAt: null,
      perPound: new Map(options.currencies.map(({ code, fallback }) => [code, fallback.per_pound]))
    }
  }

  async table(): Promise<RateTable> {
    const shared = await this.#options.shared?.last(sharedName)
    if (shared !== undefined && shared.readAt > Math.max(this.#readAt, this.#sharedAt)) this.#adopt(shared)
    const now = this.#options.now()
    if (elapsed(this.#readAt, now) >= ttlMs && elapsed(this.#failedAt, now) >= pauseAfterFailure)
      this.#reading ??= this.#read()
    if (this.#reading !== undefined) await this.#waitFor(this.#reading)
    return this.#held ?? this.#fallback
  }

  async #waitFor(reading: Promise<void>): Promise<void> {
    const enough = new AbortController()
    await Promise.race([reading, sleep(this.#options.patience, undefined, enough)])
    enough.abort()
  }

  /**
   * Adopts a shared reading. One by another version may lack a currency; that is reported once and the reading not
   * used.
   */
  #adopt({ readAt, value }: OutsideReading): void {
    this.#sharedAt = readAt
    try {
      this.#hold(readAt, fromJson(value))
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    this.#options.failed(error instanceof Error ? error.message : String(error))
  }

  #hold(readAt: number, rates: ReferenceRates): void {
    const pound = perEuro(rates, 'GBP')
    const perPound = new Map(
      this.currencies.map(({ code }) => [code, Number((perEuro(rates, code) / pound).toFixed(12))])
    )
    this.#readAt = readAt
    this.#held = { asOf: midnight(rates.date), fetchedAt: new Date(readAt).toISOString(), perPound }
  }

  /** Reads the rates and stores them; never rejects. */
  async #read(): Promise<void> {
    try {
      const rates = await this.#options.read()
      const readAt = this.#options.now()
      this.#hold(readAt, rates)
      await this.#options.shared?.put(sharedName, { readAt, value: toJson(rates) })
    } catch (error) {
      this.#failedAt = this.#options.now()
      this.#failed(error)
    } finally {
      this.#reading = undefined
    }
  }
}

const toJson = ({ date, perEuro }: ReferenceRates): JsonObject => ({ date, per_euro: Object.fromEntries(perEuro) })

const fromJson = (value: JsonValue): ReferenceRates => {
  const { date, per_euro: perEuro } = value as { date: string; per_euro: Readonly<Record<string, number>> }
  return { date, perEuro: new Map(Object.entries(perEuro)) }
}

function perEuro({ perEuro }: ReferenceRates, code: string): number {
  const rate = perEuro.get(code)
  if (rate === undefined) throw new Error(`There is no rate of ${code}.`)
  return rate
}
