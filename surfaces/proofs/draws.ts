import { randomBytes } from 'node:crypto'
import { closed, Count, invalid, notFound, NullableText, Text, Type, unavailable, type DataOf } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { conflict } from '../common/errors.ts'
import type { Source } from '../import/source.ts'
import type { BoosterGame } from '../sources/pull-rates.ts'
import { Chain, OwnFiles } from './chain.ts'
import {
  BoosterRates,
  boosterRates,
  commitmentOf,
  draw,
  OpenedRow,
  receiptOf,
  selectOpened,
  type NamedRates,
  type ProofReceipt
} from './draw.ts'
import type { ProofsDatabase } from './merkle.ts'

/** How many minutes after its beginning a draw can be opened. */
const openMinutes = 60

const Begun = closed({ id: Text, nonce: Count, commitment: Text, rates_digest: Text, begun_at: Text, expires_at: Text })
const Held = closed({
  server_seed: Text,
  nonce: Count,
  client_seed: NullableText,
  is_late: Type.Boolean(),
  rates: BoosterRates
})
const DayCount = closed({ begun: Count, seconds_left: Count })

const startOfDay = "date_trunc('day', now() at time zone 'utc') at time zone 'utc'"

/** Practice boosters: begun with a secret seed of the server, opened with a seed of the client. */
export class Draws {
  readonly #database: ProofsDatabase
  readonly #rates: ReadonlyMap<string, NamedRates>
  readonly #mostInADay: number
  readonly #chain: Pick<Chain, 'halted'>

  constructor(
    database: ProofsDatabase,
    rates: ReadonlyMap<string, NamedRates>,
    mostInADay: number,
    chain: Pick<Chain, 'halted'>
  ) {
    this.#database = database
    this.#rates = rates
    this.#mostInADay = mostInADay
    this.#chain = chain
  }

  /**
   * Begins a draw, by default of the newest set. Throws 503 when the chain is halted, and when the daily limit is
   * reached unless it is the client's first draw (`isFirst`).
   */
  async begin(
    set: string | undefined,
    isFirst: boolean
  ): Promise<DataOf<typeof Begun> & Pick<BoosterRates, 'game' | 'set'>> {
    const named = set === undefined ? [...this.#rates.values()].at(-1) : this.#rates.get(set)
    if (named === undefined) throw invalid('set', 'The rates of this set are not known.', [...this.#rates.keys()])
    const { digest, rates } = named
    if ((await this.#chain.halted()) !== undefined)
      throw unavailable(
        'The chain that proves draws waits for the operator, and no draw begins before it goes on.',
        3600,
        { subsystem: 'proofs' }
      )
    return await this.#database.knex.transaction(async transaction => {
      await this.#keepLimit(transaction, isFirst)
      await transaction('draw_rates')
        .insert({ digest, rates: JSON.stringify(rates) })
        .onConflict('digest')
        .ignore()
      const seed = randomBytes(32).toString('hex')
      const [begun] = await this.#database.rows(
        Begun,
        transaction('draws')
          .insert({
            nonce: transaction.raw('(select coalesce(max(nonce), 0) + 1 from draws)'),
            rates_digest: digest,
            commitment: commitmentOf(seed),
            server_seed: seed
          })
          .returning([
            'id',
            'nonce',
            'commitment',
            'rates_digest',
            'begun_at',
            transaction.raw("begun_at + ? * interval '1 minute' as expires_at", [openMinutes])
          ])
      )
      if (begun === undefined) throw new Error('No draw was stored.')
      return { ...begun, game: rates.game, set: rates.set }
    })
  }

  /**
   * Throws a 503 if the daily limit is reached. The lock lets draws begin one after the other, so that they are
   * numbered without gaps.
   */
  async #keepLimit(transaction: Knex.Transaction, isFirst: boolean): Promise<void> {
    await transaction.raw("select pg_advisory_xact_lock(hashtext('pantry draws'))")
    if (isFirst) return
    const [today] = await this.#database.rows(
      DayCount,
      transaction.raw(
        `select (select count(*) from draws where begun_at >= ${startOfDay}) as begun, ceil(extract(epoch from ${startOfDay} + interval '1 day' - now()))::int as seconds_left`
      )
    )
    if (today !== undefined && today.begun >= this.#mostInADay)
      throw unavailable(
        'As many draws as are kept in a day were begun today. Please come back tomorrow (UTC).',
        today.seconds_left,
        { subsystem: 'draws', most_in_a_day: this.#mostInADay }
      )
  }

  /**
   * Opens a draw. The same client seed again returns the same receipt. Throws 404 for an unknown draw; 409 for another
   * seed, or when the time is over.
   */
  async open(id: string, clientSeed: string): Promise<ProofReceipt> {
    return await this.#database.knex.transaction(async transaction => {
      const [held] = await this.#database.rows(
        Held,
        transaction.raw(
          `select d.server_seed, d.nonce, d.client_seed, d.begun_at < now() - ? * interval '1 minute' as is_late, r.rates from draws d join draw_rates r on r.digest = d.rates_digest where d.id = ? for update of d`,
          [openMinutes, id]
        )
      )
      if (held === undefined) throw notFound('draw', id)
      if (held.client_seed === null) {
        if (held.is_late)
          throw conflict(`A draw is opened within ${openMinutes} minutes. This one was not, and stays closed.`, {
            state: 'expired'
          })
        const result = draw(held.rates, { server_seed: held.server_seed, client_seed: clientSeed, nonce: held.nonce })
        await transaction('draws')
          .where({ id })
          .update({ client_seed: clientSeed, result: JSON.stringify(result), opened_at: transaction.fn.now(3) })
      } else if (held.client_seed !== clientSeed)
        throw conflict('This draw was opened with another `client_seed`. What was drawn stays.', { state: 'opened' })
      const [opened] = await this.#database.rows(
        OpenedRow,
        transaction.raw(`${selectOpened()} where d.id = ? and d.opened_at is not null`, [id])
      )
      if (opened === undefined) throw new Error('A draw that was opened has a receipt.')
      return receiptOf(opened)
    })
  }

  /** Finds rates by their digest; outdated ones too, if draws have used them. */
  async rates(digest: string): Promise<BoosterRates | undefined> {
    const { knex, rows } = this.#database
    const [held] = await rows(closed({ rates: BoosterRates }), knex('draw_rates').select('rates').where({ digest }))
    return held?.rates ?? [...this.#rates.values()].find(known => known.digest === digest)?.rates
  }
}

/** For trying out the service: three draws in the chain, whose ids are returned, and one unopened. */
export async function seedDraws(
  database: ProofsDatabase,
  dataDir: string,
  games: readonly BoosterGame[],
  sources: ReadonlyMap<string, Source>
): Promise<readonly string[]> {
  const chain = new Chain(database, new OwnFiles(dataDir), { error: () => undefined })
  const draws = new Draws(database, boosterRates(games, sources), Infinity, chain)
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const { id } = await draws.begin(undefined, true)
    await draws.open(id, randomBytes(32).toString('hex'))
    ids.push(id)
  }
  await draws.begin(undefined, true)
  await chain.advance()
  return ids
}
