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

/** Who asks, and what makes a retry of it harmless. */
export type ActAsker = Readonly<{ person: string; isAdmin: boolean; route: string; key: string | undefined }>

/** What an act came to: without a person in it, because a retry is answered with it again. */
export type Acted = Readonly<{ auction_id: string; act: Act; status: State; at: string; amount: number | null }>

/**
 * What an act is given: the locked auction with what is due applied, at the clock of the database; for acts that bind a
 * person with money, their standing.
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
 * What an act does: which it is, what changes, the bid that is stored with it and what names it, and for acts of an
 * admin what is written down.
 */
export type Done = Readonly<
  { change: AuctionChange; amount?: number; bid?: NewBid; names?: readonly NamesBid[] } & (
    { act: Act; noted?: undefined } | { act: NotedAct; noted: JsonObject }
  )
>

/** Acts of an admin on an auction that are written down. */
type NotedAct = ActName extends infer Name ? (Name extends `auctions.${infer Of extends Act}` ? Of : never) : never
export type Doing<Body> = ((given: ActContext<Body>) => Promise<Done> | Done) & Readonly<{ binds?: Binds<Body> }>

/** Whom an act binds with money, found before anything is locked. */
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
 * An act that binds somebody with money: they are locked and counted before the auction is, because many wait for the
 * auction and nobody waits for them.
 */
export const binding = <Body>(binds: Binds<Body>, doing: (given: ActContext<Body>) => Promise<Done>): Doing<Body> =>
  Object.assign(doing, { binds })

/**
 * What somebody is to an auction. An admin who sells or has bought it is a party alone: nobody decides for the service
 * what they gain by.
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

/** As whom somebody does something; 403 where it is never theirs, 409 where the auction is not so far, or no longer. */
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

/** One act that somebody asks for, of the auction as they `named` it. */
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

/** The auction, locked, with what is due applied; undefined where there is none. */
export async function hold(store: Store, transaction: Knex.Transaction, id: string): Promise<Held | undefined> {
  const found = await lockAuction(store, transaction, id)
  if (found === undefined || !found.isDue) return found
  await applyDue(store, transaction, [id])
  return await lockAuction(store, transaction, id)
}

/**
 * An auction that is held for some acts. Bids wait to be written until something else is done, because nothing but a
 * bid looks at them, and what is due and who finds it stay what they are.
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

  /** Does one act. What is refused has written nothing: each act checks first. */
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

  /** Writes what waits. The auction is read again before another act. */
  async write(): Promise<void> {
    await writeActs(this.#transaction, this.#id, this.#waiting)
    ;[this.#waiting, this.#isRead] = [[], false]
  }
}

/**
 * Does some acts to one auction, one after the other on the locked row, against the clock of the database. Keys are
 * locked first, then people, then the auction: in one order everywhere, so that nobody waits for each other.
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
 * Does something to an auction, once for each idempotency key, together with what others of this process want of it at
 * the same time.
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

/** The same within a transaction that does more. */
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
