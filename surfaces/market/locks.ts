/** What an act locks, in one order everywhere, which prevents deadlocks: idempotency keys, people, the auction. */
import { closed, Count, hashCanonical, invalid, nullable, SurfaceError, Text, Type, type JsonObject } from 'pantry/data'
import { lockKeys, withKeys, type AnswerStore } from 'pantry/database'
import type { TProperties } from 'typebox'
import type { StoreTransaction } from '../common/repository.ts'
import { auctionColumns, auctionShape, isPublished, type AuctionRow } from './auction.ts'
import { isDueAt } from './due.ts'
import { formatMoney } from './money.ts'
import { limitOver, scoresNow, tierOf, type MarketTier } from './trust.ts'

/** Returns the schema of a body that may contain an idempotency key, because HTML forms cannot send the header. */
export const keyed = <P extends TProperties>(members: P) =>
  closed({
    ...members,
    idempotency_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The same as the header `Idempotency-Key`, for forms: the same key does something once in 24 hours.'
      })
    )
  })

export const Plain = keyed({})

export type IdempotentRequest = Readonly<{ person: string; route: string; key: string | undefined; body: JsonObject }>

const keyForm = /^[\x21-\x7e]{1,200}$/
const StoredAnswer = closed({
  person: Text,
  route: Text,
  key: Text,
  digest: Text,
  body: Type.Record(Text, Type.Unknown())
})

/** Returns the idempotency key of a request; throws a 400 if it is malformed. */
export function keyOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !keyForm.test(header))
    throw invalid('Idempotency-Key', 'An idempotency key is one text of 1 to 200 visible ASCII characters.')
  return header
}

export type Once<Answer> = (retry: IdempotentRequest, work: () => Promise<Answer>) => Promise<Answer>

const nameOf = ({ person, route, key }: Omit<IdempotentRequest, 'body'>): string =>
  `idempotency ${person} ${route} ${key ?? ''}`

type KeyedRetry = IdempotentRequest & Readonly<{ id: string; digest: string }>

const keyedOf = (retry: IdempotentRequest): KeyedRetry => ({
  ...retry,
  id: nameOf(retry),
  digest: hashCanonical(retry.body)
})

/**
 * The answers of the last 24 hours. They are a table of their own, because a person sees their keys, and takes them
 * along when they leave.
 */
const keptIn = ({ knex, rows }: StoreTransaction): AnswerStore<KeyedRetry> => ({
  read: async retries => {
    const found = await rows(
      StoredAnswer,
      knex('idempotency_keys')
        .select(Object.keys(StoredAnswer.properties))
        .whereRaw("created_at >= now() - interval '24 hours'")
        .whereRaw('(person, route, key) in (select * from unnest(?::uuid[], ?::text[], ?::text[]))', [
          retries.map(({ person }) => person),
          retries.map(({ route }) => route),
          retries.map(({ key }) => key ?? '')
        ])
    )
    return new Map(found.map(kept => [nameOf(kept), { digest: kept.digest, answer: kept.body as JsonObject }]))
  },
  write: async added => {
    await knex('idempotency_keys')
      .insert(
        added.map(({ request: { person, route, key, digest }, answer }) => ({
          person,
          route,
          key,
          digest,
          body: JSON.stringify(answer)
        }))
      )
      .onConflict(['person', 'route', 'key'])
      .merge(['digest', 'body', 'created_at'])
  }
})

/**
 * Runs work in which each request is answered once, as the framework does for one request (`withKeys`), but for several
 * in one transaction.
 */
export async function withIdempotency<Answer extends JsonObject, Result>(
  store: StoreTransaction,
  retries: readonly IdempotentRequest[],
  work: (once: Once<Answer>) => Promise<Result>
): Promise<Result> {
  const requests = retries.filter(({ key }) => key !== undefined).map(keyedOf)
  if (requests.length === 0) return await work(async (_retry, answer) => await answer())
  await lockKeys(store.knex, requests)
  return await withKeys(
    keptIn(store),
    requests,
    async once =>
      await work(async (retry, answer) =>
        retry.key === undefined ? await answer() : ((await once(keyedOf(retry), answer)).answer as Answer)
      )
  )
}

const LockedPerson = closed({ id: Text, suspended_at: nullable(Text) })

/**
 * Query for the pence that people (`:people`) committed in the last 24 hours, outside `:auction`: their highest bid or
 * offer in each auction that they lead, have won, or have an open offer in.
 */
const committed = `
  select p.person, coalesce(sum(most), 0)::bigint as begun from unnest(:people::uuid[]) as p (person) left join lateral (
    select max(b.amount) as most from auction_bids b join auctions a on a.id = b.auction
    where b.bidder = p.person and a.id <> :auction and b.at > clock_timestamp() - interval '24 hours'
      and (a.status = 'live' and (b.state = 'open' or b.id = a.leading_bid) or a.status in ('ended', 'paid') and b.id = a.winning_bid) group by a.id) of_each on true group by p.person`

const mayNotTrade = (): SurfaceError => new SurfaceError('FORBIDDEN', 'Who is suspended, or has left, cannot trade.')

/**
 * Returns the ids of those of some people who may trade. Locks the rows of all until the transaction ends, in one
 * order, so that commitments made at the same time are counted one after another.
 */
async function lockBidders({ knex, rows }: StoreTransaction, people: readonly string[]): Promise<readonly string[]> {
  const found = await rows(
    LockedPerson,
    knex('people').select('id', 'suspended_at').whereIn('id', people).orderBy('id').forNoKeyUpdate()
  )
  return found.filter(({ suspended_at: suspended }) => suspended === null).map(({ id }) => id)
}

/** Locks the row of the person until the transaction ends. 403 if the person may not trade. */
export async function lockBidder(store: StoreTransaction, person: string): Promise<void> {
  if ((await lockBidders(store, [person])).length === 0) throw mayNotTrade()
}

/** The tier of a person, and the pence that they committed in other auctions in the last 24 hours. */
export type Standing = Readonly<{ tier: MarketTier; begun: number }>

const Commitment = closed({ person: Text, begun: Count })

/**
 * Returns the standings of those of some people who may trade, by person id. Locks the rows of all until the
 * transaction ends.
 */
export async function lockStandings(
  store: StoreTransaction,
  people: readonly string[],
  auction: string
): Promise<ReadonlyMap<string, Standing>> {
  const allowed = people.length === 0 ? [] : await lockBidders(store, people)
  if (allowed.length === 0) return new Map()
  const commitments = await store.rows(Commitment, store.knex.raw(committed, { people: [...allowed], auction }))
  const begun = new Map(commitments.map(row => [row.person, row.begun]))
  return new Map(
    [...(await scoresNow(store, allowed))].map(([person, score]) => [
      person,
      { tier: tierOf(score), begun: begun.get(person) ?? 0 }
    ])
  )
}

/** Throws a 403 if the person may not trade or the amount exceeds a limit of their tier. */
export function checkLimits(standing: Standing | undefined, { currency }: AuctionRow, amount: number): void {
  if (standing === undefined) throw mayNotTrade()
  const { tier, begun } = standing
  const over = limitOver(tier, amount, begun)
  if (over === undefined) return
  const limit = formatMoney({ pence: tier[over], currency })
  throw new SurfaceError(
    'FORBIDDEN',
    over === 'trade_limit'
      ? `The tier ${tier.name} may spend ${limit} in one trade.`
      : `The tier ${tier.name} may begin ${limit} in 24 hours, with what is begun already.`,
    { details: { limit: over, pence: tier[over], begun, tier: tier.name } }
  )
}

const LockedAuction = closed({ ...auctionShape, clock: Text, is_due: Type.Boolean(), is_published: Type.Boolean() })

/** Query that locks an auction and then reads the clock once, so that everything is judged by the same moment. */
const lock = `
  with a as materialized (select * from auctions where id = :id for update), held as materialized (select date_trunc('milliseconds', clock_timestamp()) as clock from a)
  select ${auctionColumns.map(name => `a.${name}`).join(', ')}, clock, (${isDueAt('clock')}) as is_due, (${isPublished}) as is_published from held, a`

export type HeldAuction = Readonly<{ row: AuctionRow; now: number; isDue: boolean; isPublished: boolean }>

/**
 * Locks an auction until the transaction ends; undefined if there is none. `now` is the time of the database after the
 * lock, in milliseconds.
 */
export async function lockAuction({ knex, rows }: StoreTransaction, id: string): Promise<HeldAuction | undefined> {
  const [found] = await rows(LockedAuction, knex.raw(lock, { id }))
  if (found === undefined) return undefined
  const { clock, is_due: isDue, is_published: isPublished, ...row } = found
  return { row, now: Date.parse(clock), isDue, isPublished }
}
