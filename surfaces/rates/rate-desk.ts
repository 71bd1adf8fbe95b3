import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'pantry/data'
import type { DataOf, JsonObject, JsonValue } from 'pantry/data'
import { elapsed } from '../calendar.ts'
import type { OutsideReading, SharedReadings } from '../outside/shared-readings.ts'
import type { ReferenceRates } from './reference-rates.ts'

/** A display currency, as the corpus `currencies` declares it. */
export const RateCurrency = Type.Object({
  code: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  locale: Type.String(),
  decimals: Type.Integer(),
  fallback: Type.Object({ as_of: Type.String(), per_pound: Type.Number() })
})
export type RateCurrency = DataOf<typeof RateCurrency>

/** The rates of one day: units of each currency per pound sterling. `fetchedAt` is null for the fallback table. */
type RateTable = Readonly<{ asOf: string; fetchedAt: string | null; perPound: ReadonlyMap<string, number> }>

type RateDeskOptions = Readonly<{
  currencies: readonly RateCurrency[]
  /** Reads the reference rates; rejects when they cannot be read or used. */
  read: () => Promise<ReferenceRates>
  /** Called with the reason when a reading failed. */
  failed: (reason: string) => void
  /** Readings of other processes. */
  shared?: Pick<SharedReadings, 'last' | 'put'> | undefined
  now?: () => number
  /** How long a caller waits for a reading, in milliseconds. The reading continues after that. */
  patience?: number
}>

const keptFor = 6 * 3_600_000
const pauseAfterFailure = 300_000
const decimals = 12
const sharedName = 'reference-rates'

const rounded = (value: number): number => Number(value.toFixed(decimals))
const midnight = (day: string): string => `${day}T00:00:00.000Z`

/**
 * Caches one table for six hours and reads the next one on demand. After a failed reading the last table stays in use;
 * the fallback is returned only if there has never been one. Desks that share readings all use the newest.
 */
export class RateDesk {
  readonly currencies: readonly RateCurrency[]
  readonly #options: Required<RateDeskOptions>
  readonly #fallback: RateTable
  #held: RateTable | undefined
  #readAt = -Infinity
  /** The `readAt` of the shared reading that was last looked at. */
  #sharedAt = -Infinity
  #failedAt = -Infinity
  #reading: Promise<void> | undefined

  constructor(options: RateDeskOptions) {
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
    if (elapsed(this.#readAt, now) >= keptFor && elapsed(this.#failedAt, now) >= pauseAfterFailure)
      this.#reading ??= this.#read()
    if (this.#reading !== undefined) await this.#waitFor(this.#reading)
    return this.#held ?? this.#fallback
  }

  async #waitFor(reading: Promise<void>): Promise<void> {
    const enough = new AbortController()
    await Promise.race([reading, sleep(this.#options.patience, undefined, enough)])
    enough.abort()
  }

  /** Adopts a shared reading. One by another version may lack a currency; that is reported once. */
  #adopt({ readAt, value }: OutsideReading): void {
    this.#sharedAt = readAt
    try {
      this.#hold(readAt, fromJson(value))
    } catch (error) {
      this.#options.failed(error instanceof Error ? error.message : String(error))
    }
  }

  #hold(readAt: number, rates: ReferenceRates): void {
    const pound = perEuro(rates, 'GBP')
    const perPound = new Map(this.currencies.map(({ code }) => [code, rounded(perEuro(rates, code) / pound)]))
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
      this.#options.failed(error instanceof Error ? error.message : String(error))
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
