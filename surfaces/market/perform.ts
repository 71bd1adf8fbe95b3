import { setImmediate as collected } from 'node:timers/promises'
import { SurfaceError, unavailable, type Caller, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { conflict } from '../errors.ts'
import { noteAct, type ActName } from '../people/acts.ts'
import { personOf } from '../people/callers.ts'
import {
  actsIn,
  after,
  idOf,
  isTheirs,
  noAuction,
  transitionOf,
  transitions,
  writeActs,
  type Act,
  type AuctionChange,
  type AuctionRow,
  type NamesBid,
  type NewBid,
  type State,
  type Store,
  type Transition,
  type Who,
  type Written
} from './auction.ts'
import { applyDue } from './due.ts'
import { answeredOnce, keyOf, lockAuction, lockStandings, type Retry, type Standing } from './locks.ts'

/** The parts of a request that the market needs. */
export type MarketRequest<Body> = Readonly<{
  caller: Caller
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: Body
}>
export type Keyed = Readonly<{ idempotency_key?: string }>

export const askerOf = ({ caller, headers, body }: MarketRequest<Keyed>, route: string): ActAsker => ({
  person: personOf(caller),
  isAdmin: caller.grants.includes('admin'),
  route,
  key: keyOf(headers['idempotency-key'] ?? body.idempotency_key)
})

export const withoutKey = <Body>(body: Body & Keyed): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'idempotency_key')) as Body

/** Performs an act on an auction for the caller. Idempotency keys are separate for each `route`. */
export async function actOn<Body extends JsonObject>(
  store: Store,
  request: MarketRequest<Body & Keyed> & Readonly<{ params: Readonly<{ id: string }> }>,
  route: string,
  doing: Doing<Body>
): Promise<Acted> {
  return await perform(store, askerOf(request, route), request.params.id, withoutKey<Body>(request.body), doing)
}

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

/** The outcome of one of several jobs that were done together. */
type Outcome<Done> = Readonly<{ done: Done } | { refused: Error }>

type Waiting<Job, Done> = Readonly<{ job: Job; end: (outcome: Outcome<Done>) => void; timer: NodeJS.Timeout }>

/** The maximum number of jobs in one turn, and the longest time that a job may wait. */
const atOnce = 32
const longestMs = 10_000

/**
 * Whether the error comes from a single statement of one job (SQLSTATE classes 22, 23, 40 and P0). It rolls back the
 * whole transaction although the other jobs are valid.
 */
function isOfOne(error: Error): boolean {
  const { code } = (error.cause ?? error) as Readonly<{ code?: unknown }>
  return /^(?:22|23|40|P0)/.test(String(code))
}

/**
 * Runs jobs by name, one turn after the other. Jobs that arrive during a turn are done together in the next one, so
 * that many share one commit. If a turn fails because of one job, each job is retried alone. 503 for a job that waits
 * too long.
 */
function doneTogether<Job, Done>(
  doAll: (name: string, jobs: readonly Job[]) => Promise<readonly Outcome<Done>[]>
): (name: string, job: Job) => Promise<Done> {
  const lines = new Map<string, Waiting<Job, Done>[]>()

  async function outcomesOf(name: string, jobs: readonly Job[]): Promise<readonly Outcome<Done>[]> {
    try {
      return await doAll(name, jobs)
    } catch (error) {
      const refused = error instanceof Error ? error : new Error(String(error))
      if (jobs.length === 1 || !isOfOne(refused)) return jobs.map(() => ({ refused }))
      const outcomes: Outcome<Done>[] = []
      for (const job of jobs) outcomes.push(...(await outcomesOf(name, [job])))
      return outcomes
    }
  }

  async function work(name: string, line: Waiting<Job, Done>[]): Promise<void> {
    while (line.length > 0) {
      await collected()
      const turn = line.splice(0, atOnce)
      for (const { timer } of turn) clearTimeout(timer)
      const outcomes = await outcomesOf(
        name,
        turn.map(({ job }) => job)
      )
      for (const [place, { end }] of turn.entries())
        end(outcomes[place] ?? { refused: new Error('A turn gave no outcome.') })
    }
    lines.delete(name)
  }

  return async (name, job) =>
    await new Promise<Done>((resolve, reject) => {
      const begun = lines.get(name)
      const line = begun ?? []
      const waiting: Waiting<Job, Done> = {
        job,
        end: outcome => {
          if ('done' in outcome) resolve(outcome.done)
          else reject(outcome.refused)
        },
        timer: setTimeout(() => {
          line.splice(line.indexOf(waiting), 1)
          reject(
            unavailable('Too many act on this auction at once. Please try again in a moment.', 1, {
              subsystem: 'market'
            })
          )
        }, longestMs)
      }
      line.push(waiting)
      if (begun !== undefined) return
      lines.set(name, line)
      void work(name, line)
    })
}
