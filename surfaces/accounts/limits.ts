import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller, Counted } from 'pantry/data'
import type { Database } from 'pantry/database'
import { windowSeconds } from './tiers.ts'

/** Counts the requests of each caller in windows that all processes over one database share. While the database is away each process counts for itself. */
export class Limits {
  readonly #knex: Database['knex']
  readonly #limiters = new Map<number, RateLimiterPostgres>()

  constructor ({ knex }: Pick<Database, 'knex'>) { this.#knex = knex }

  #limiterOf (limit: number): RateLimiterPostgres {
    const known = this.#limiters.get(limit)
    if (known !== undefined) return known
    const options = { points: limit, duration: windowSeconds, keyPrefix: String(limit) }
    const made = new RateLimiterPostgres({
      ...options, storeClient: this.#knex, storeType: 'knex', tableName: 'rate_limits', tableCreated: true, clearExpiredByTimeout: false,
      // Who is over the limit is refused without asking again.
      inMemoryBlockOnConsumed: limit + 1, insuranceLimiter: new RateLimiterMemory(options)
    })
    this.#limiters.set(limit, made)
    return made
  }

  /** A session has requests of its own, beside others of the same person. */
  async count ({ id = '', session }: Caller, limit: number): Promise<Counted> {
    const found = await this.#limiterOf(limit).consume(session?.id ?? id).then(state => ({ isAllowed: true, state }), (refused: unknown) => ({ isAllowed: false, state: refused }))
    if (!(found.state instanceof RateLimiterRes)) throw found.state
    const { remainingPoints, msBeforeNext } = found.state
    return { isAllowed: found.isAllowed, limit, windowSeconds, remaining: Math.max(0, remainingPoints), resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
  }
}
