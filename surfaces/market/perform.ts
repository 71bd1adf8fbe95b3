import { SurfaceError, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import type { ActName } from '../accounts/act-kinds.ts'
import { noteAct } from '../accounts/acts.ts'
import { conflict } from '../errors.ts'
import { lockStandings, type Standing } from './bidder.ts'
import { applyDue } from './due.ts'
import { isTheirs } from './gate.ts'
import { answeredOnce, type Retry } from './idempotency.ts'
import { lockAuction } from './lock.ts'
import {
  after,
  idOf,
  noAuction,
  writeActs,
  type AuctionChange,
  type AuctionRow,
  type NamesBid,
  type NewBid,
  type Store,
  type Written
} from './row.ts'
import { actsIn, transitionOf, transitions, type Act, type State, type Transition, type Who } from './states.ts'
import { doneTogether, type Outcome } from './together.ts'

/** Who requests an act, and the idempotency key of the request with its route. */
export type ActAsker = Readonly<{ person: string; isAdmin: boolean; route: string; key: string | undefined }>

/** The result of an act. It names no person, because a retry receives the stored result again. */
export type Acted = Readonly<{ auction_id: string; act: Act; status: State; at: string; amount: number | null }>

/**
 * The input of an act: the locked auction after due transitions, the clock of the database, and for acts that bind a
 * person with money, that person's tier and commitments.
 */
export type ActContext<Body> = Readonly<{
  store: Pick<Store, 'rows'>
  transaction: Knex.Transaction
  row: AuctionRow
  now: number
  asker: ActAsker
  body: Body
  standing: Standing | undefined
}>

/**
 * The outcome of an act: its name, the changed columns, the new bid with the columns that refer to it, and for acts of
 * an admin the details for the journal.
 */
export type Done = Readonly<
  { change: AuctionChange; amount?: number; bid?: NewBid; names?: readonly NamesBid[] } & (
    { act: Act; noted?: undefined } | { act: NotedAct; noted: JsonObject }
  )
>

/** Acts of an admin on an auction that are recorded in the journal. */
type NotedAct = ActName extends infer Name ? (Name extends `auctions.${infer Of extends Act}` ? Of : never) : never
export type Doing<Body> = ((given: ActContext<Body>) => Promise<Done> | Done) & Readonly<{ binds?: Binds<Body> }>

/** Returns the person whom an act binds with money. Called before anything is locked. */
type Binds<Body> = (
  given: Readonly<{
    store: Pick<Store, 'rows'>
    transaction: Knex.Transaction
    id: string
    asker: ActAsker
    body: Body
  }>
) => Promise<string | undefined> | string

/**
 * Marks an act that binds a person with money. The person is locked, and their commitments counted, before the auction
 * is locked, because many requests wait for the auction and few for the person.
 */
export const binding = <Body>(binds: Binds<Body>, doing: (given: ActContext<Body>) => Promise<Done>): Doing<Body> =>
  Object.assign(doing, { binds })

/**
 * Returns the roles of a person in an auction. An admin who is its seller or winner does not get the role `admin`, so
 * that nobody decides for the service in their own favour.
 */
export function rolesIn(
  { seller, winner }: Pick<AuctionRow, 'seller' | 'winner'>,
  { person, isAdmin }: Pick<ActAsker, 'person' | 'isAdmin'>
): readonly Who[] {
  const party: Who = seller === person ? 'seller' : winner === person ? 'winner' : 'bidder'
  return isAdmin && party === 'bidder' ? [party, 'admin'] : [party]
}

const whoNames: Readonly<Record<Who, string>> = {
  seller: 'its seller',
  winner: 'its winner',
  bidder: 'others than seller and winner',
  admin: 'an admin',
  clock: 'nobody'
}
const stateNames: Readonly<Record<State, string>> = {
  draft: 'is a draft',
  scheduled: 'has not begun',
  live: 'is live',
  ended: 'has ended',
  paid: 'is paid',
  cancelled: 'was cancelled'
}

/**
 * Returns the transition of an act and the role in which the person makes it. 403 if none of their roles may ever do
 * it, 409 if the state of the auction does not permit it.
 */
export function requireAct(row: AuctionRow, asker: ActAsker, act: Act): Readonly<{ transition: Transition; who: Who }> {
  const roles = rolesIn(row, asker)
  const ever = (transitions as readonly Transition[]).filter(one => one.act === act).flatMap(({ who }) => who)
  if (!ever.some(who => roles.includes(who)))
    throw new SurfaceError('FORBIDDEN', `This is for ${[...new Set(ever)].map(who => whoNames[who]).join(' or ')}.`, {
      details: { act }
    })
  const transition = transitionOf(row.status, act)
  const who = transition?.who.find(one => roles.includes(one))
  if (transition === undefined || who === undefined) {
    throw conflict(`The auction ${stateNames[row.status]}.`, {
      status: row.status,
      acts: [...new Set(roles.flatMap(role => actsIn(row.status, role)))]
    })
  }
  return { transition, who }
}

/** One requested act; `named` is the auction's id as written in the request. */
type Job = Readonly<{
  store: Store
  asker: ActAsker
  named: string
  body: JsonObject
  binds: (
    given: Readonly<{ transaction: Knex.Transaction; id: string }>
  ) => Promise<string | undefined> | string | undefined
  does: (given: Omit<ActContext<never>, 'store' | 'asker' | 'body'>) => Promise<Done> | Done
}>
type Held = Readonly<{ row: AuctionRow; now: number; isPublished: boolean }>

const retryOf = ({ asker: { person, route, key }, named, body }: Job): Retry => ({
  person,
  route,
  key,
  body: { auction: named, ...body }
})

/** Locks the auction and applies its due transitions; undefined if there is no such auction. */
export async function hold(store: Store, transaction: Knex.Transaction, id: string): Promise<Held | undefined> {
  const found = await lockAuction(store, transaction, id)
  if (found === undefined || !found.isDue) return found
  await applyDue(store, transaction, [id])
  return await lockAuction(store, transaction, id)
}

/**
 * An auction that is locked for several acts. Bids are collected and written together before the next other act,
 * because only bids depend on them, and because the lock keeps the rest of the auction unchanged.
 */
class Turn {
  readonly #store: Store
  readonly #transaction: Knex.Transaction
  readonly #id: string
  #held: Held | undefined
  #isRead = false
  #waiting: readonly Written[] = []

  constructor(store: Store, transaction: Knex.Transaction, id: string) {
    ;[this.#store, this.#transaction, this.#id] = [store, transaction, id]
  }

  /** Performs one act. A refused act has written nothing, because acts check before they write. */
  async do({ asker, named, does }: Job, standing: Standing | undefined): Promise<Acted> {
    if (!this.#isRead) [this.#held, this.#isRead] = [await hold(this.#store, this.#transaction, this.#id), true]
    const held = this.#held
    if (held === undefined || (!held.isPublished && !isTheirs(held.row, asker))) throw noAuction(named)
    const { row, now } = held
    const done = await does({ transaction: this.#transaction, row, now, standing })
    const { act, change, amount, bid, names = [] } = done
    const {
      transition: { to },
      who
    } = requireAct(row, asker, act)
    const written = { from: row.status, act, to, who, at: now, change, bid, names }
    this.#waiting = [...this.#waiting, written]
    this.#held = { ...held, row: after(row, written) }
    if (act !== 'bid') await this.write()
    if (done.noted !== undefined && who === 'admin')
      await noteAct(this.#transaction, asker.person, `auctions.${done.act}`, row.id, done.noted)
    return { auction_id: row.id, act, status: to, at: new Date(now).toISOString(), amount: amount ?? null }
  }

  /** Writes the collected acts. The next act reads the auction again. */
  async write(): Promise<void> {
    await writeActs(this.#transaction, this.#id, this.#waiting)
    ;[this.#waiting, this.#isRead] = [[], false]
  }
}

/**
 * Performs some acts on one auction, one after the other on the locked row, by the clock of the database. Locks keys,
 * then people, then the auction: the same order everywhere, which prevents deadlocks.
 */
async function doAll(
  transaction: Knex.Transaction,
  id: string,
  jobs: readonly Job[]
): Promise<readonly Outcome<Acted>[]> {
  const [{ store } = { store: undefined }] = jobs
  if (store === undefined) return []
  return await answeredOnce<Acted, readonly Outcome<Acted>[]>(store, transaction, jobs.map(retryOf), async once => {
    const bound: (string | undefined)[] = []
    for (const { binds } of jobs) bound.push(await binds({ transaction, id }))
    const standings = await lockStandings(
      store,
      transaction,
      [...new Set(bound.filter(person => person !== undefined))],
      id
    )
    const turn = new Turn(store, transaction, id)
    const outcomes: Outcome<Acted>[] = []
    for (const [place, job] of jobs.entries()) {
      try {
        outcomes.push({
          done: await once(retryOf(job), async () => await turn.do(job, standings.get(bound[place] ?? '')))
        })
      } catch (refused) {
        // What the database refused has a cause: it undoes the whole transaction.
        if (!(refused instanceof SurfaceError) || (refused.status ?? 0) >= 500 || refused.cause !== undefined)
          throw refused
        outcomes.push({ refused })
      }
    }
    await turn.write()
    return outcomes
  })
}

const together = doneTogether<Job, Acted>(
  async (id, jobs) =>
    (await jobs[0]?.store.knex.transaction(async transaction => await doAll(transaction, id, jobs))) ?? []
)

const jobOf = <Body extends JsonObject>(
  store: Store,
  asker: ActAsker,
  named: string,
  body: Body,
  doing: Doing<Body>
): Job => ({
  store,
  asker,
  named,
  body,
  binds: given => doing.binds?.({ ...given, store, asker, body }),
  does: given => doing({ ...given, store, asker, body })
})

/**
 * Performs an act on an auction, once per idempotency key, in one transaction with other acts on it that arrive in this
 * process at the same time.
 */
export async function perform<Body extends JsonObject>(
  store: Store,
  asker: ActAsker,
  named: string,
  body: Body,
  doing: Doing<Body>
): Promise<Acted> {
  return await together(idOf(named), jobOf(store, asker, named, body, doing))
}

/** As `perform`, within a transaction that does more. */
export async function performWithin<Body extends JsonObject>(
  transaction: Knex.Transaction,
  store: Store,
  asker: ActAsker,
  named: string,
  body: Body,
  doing: Doing<Body>
): Promise<Acted> {
  const [outcome] = await doAll(transaction, idOf(named), [jobOf(store, asker, named, body, doing)])
  if (outcome === undefined || 'refused' in outcome) throw outcome?.refused ?? new Error('An act has an outcome.')
  return outcome.done
}
