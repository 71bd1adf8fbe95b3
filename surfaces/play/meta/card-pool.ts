import Type from 'typebox'
import { closed, nullable, NullableText, Text, type DataOf, type JsonObject } from 'pantry/data'
import type { Database } from 'pantry/database'
import { playCard } from '../play-card.ts'
import { compositionOf, type Composition } from './composition.ts'

/** The card pool of the One Piece Card Game as the catalogue has it. */
type CardPool = Readonly<{
  composition: Composition
  /** The dated set released last; null when no set is dated. */
  latest_set: Readonly<{ code: string, name: string | null, released_on: string }> | null
  /** First and last known release date. */
  first_release: string | null
  /** When the last import that saw the game ended (ISO 8601). */
  as_of: string | null
}>

const State = closed({ run: nullable(Type.Integer()), as_of: NullableText })
const Card = closed({ card_number: Text, name: NullableText, attributes: nullable(Type.Unsafe<JsonObject>({ type: 'object' })) })
const DatedSet = closed({ code: Text, name: NullableText, released_on: Text })

const game = 'op'

/**
 * Counts the pool once for each import, however many ask at once; otherwise a request asks only whether there was an import. Counting has
 * no time limit, the question before it has. Failures are `SOURCE_UNAVAILABLE`.
 */
export class CardPoolReader {
  readonly #knex: Database['knex']
  readonly #bulk: Database['bulk']
  readonly #rows: Database['rows']
  #counted: Readonly<{ run: number | null, pool: Promise<Omit<CardPool, 'as_of'>> }> | undefined

  constructor ({ knex, bulk, rows }: Pick<Database, 'knex' | 'bulk' | 'rows'>) {
    this.#knex = knex
    this.#bulk = bulk
    this.#rows = rows
  }

  async read (): Promise<CardPool> {
    const { run, as_of: asOf } = await this.#state()
    if (this.#counted?.run !== run) this.#counted = { run, pool: this.#count() }
    const counted = this.#counted
    try {
      return { ...await counted.pool, as_of: asOf }
    } catch (error) {
      if (this.#counted === counted) this.#counted = undefined
      throw error
    }
  }

  async #state (): Promise<DataOf<typeof State>> {
    const [state] = await this.#rows(State, this.#knex.raw("select max(id) as run, max(finished_at) as as_of from runs where status = 'succeeded'"))
    return state ?? { run: null, as_of: null }
  }

  async #count (): Promise<Omit<CardPool, 'as_of'>> {
    const [cards, sets] = await Promise.all([
      this.#rows(Card, this.#bulk.raw(`
        select distinct on (card_number) card_number, name, attributes from cards where game = ? order by card_number, variant <> '', lang, sku`, [game])),
      this.#rows(DatedSet, this.#bulk('sets').select('code', 'name', 'released_on')
        .where({ game }).whereNotNull('released_on').orderByRaw('released_on desc, code_key collate "C"'))
    ])
    return { composition: compositionOf(cards.map(playCard)), latest_set: sets[0] ?? null, first_release: sets.at(-1)?.released_on ?? null }
  }
}
