import { setImmediate } from 'node:timers/promises'
import { SurfaceError, unavailable, type Caller, type JsonObject } from 'pantry/data'
import { conflict } from '../common/errors.ts'
import { recordAct, type ActName } from '../people/acts.ts'
import { personOf } from '../people/callers.ts'
import { inTransaction, type Store, type StoreTransaction } from '../common/repository.ts'
import {
  actsIn,
  applyAct,
  bidKinds,
  idOf,
  canSeeUnpublished,
  auctionNotFound,
  transitionOf,
  transitions,
  writeActs,
  type Act,
  type AuctionChange,
  type AuctionRow,
  type BidKind,
  type AuctionState,
  type ActorRole,
  type WrittenAct
} from './auction.ts'
import { applyDue } from './due.ts'
import {
  withIdempotency,
  keyOf,
  lockAuction,
  lockStandings,
  type HeldAuction,
  type IdempotentRequest,
  type Standing
} from './locks.ts'

export type MarketRequest<Body> = Readonly<{
  caller: Caller
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: Body
}>
export type Keyed = Readonly<{ idempotency_key?: string }>

export const actorOf = ({ caller, headers, body }: MarketRequest<Keyed>, route: string): Actor => ({
  person: personOf(caller),
  isAdmin: caller.grants.includes('admin'),
  route,
  key: keyOf(headers['idempotency-key'] ?? body.idempotency_key)
})

export const withoutKey = <Body>(body: Body & Keyed): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'idempotency_key')) as Body

/** Performs the act that a request asks for. Idempotency keys are separate for each `route`. */
export async function actOn<Body extends JsonObject>(
  store: Store,
  request: MarketRequest<Body & Keyed> & Readonly<{ params: Readonly<{ id: string }> }>,
  route: string,
  handler: ActHandler<Body>
): Promise<Acted> {
  return await perform(store, actorOf(request, route), request.params.id, withoutKey<Body>(request.body), handler)
}

export type Actor = Readonly<{ person: string; isAdmin: boolean; route: string; key: string | undefined }>

/**
 * The result of an act. It names no person, because it is stored and sent again to a request with the same idempotency
 * key.
 */
export type Acted = Readonly<{ auction_id: string; act: Act; status: AuctionState; at: string; amount: number | null }>

/**
 * The input of an act: the locked auction after due transitions, the time of the database in milliseconds, and the
 * standing of the person whom the act binds with money (undefined if there is none, or they may not trade).
 */
export type ActContext<Body> = Readonly<{
  store: StoreTransaction
  row: AuctionRow
  now: number
  /** `now` in ISO 8601. */
  at: string
  asker: Actor
  body: Body
  standing: Standing | undefined
}>

/** Acts on an auction that are recorded in `account_acts` if an admin performs them. */
type NotedAct = ActName extends infer Name ? (Name extends `auctions.${infer Of extends Act}` ? Of : never) : never

/** The changed columns, and in `noted` the details for `account_acts`, which are recorded only if an admin acts. */
type ActResult = Readonly<
  { change: AuctionChange; amount?: number } & (
    | { act: BidKind; amount: number; noted?: undefined }
    | { act: Exclude<Act, BidKind>; noted?: undefined }
    | { act: NotedAct; noted: JsonObject }
  )
>

export type ActHandler<Body> = ((context: ActContext<Body>) => Promise<ActResult> | ActResult) &
  Readonly<{ binds?: Binds<Body> }>

/**
 * Returns the person whom an act binds with money. Called after the idempotency keys are locked, and before the person
 * and the auction are.
 */
type Binds<Body> = (
  context: Readonly<{ store: StoreTransaction; id: string; asker: Actor; body: Body }>
) => Promise<string | undefined> | string

/**
 * Marks an act that binds a person with money. The person is locked, and their commitments counted, before the auction
 * is locked, because many requests wait for the auction and few for the person.
 */
export const binding = <Body>(
  binds: Binds<Body>,
  handler: (context: ActContext<Body>) => Promise<ActResult>
): ActHandler<Body> => Object.assign(handler, { binds })

/**
 * Returns the roles of a person in an auction. An admin who is its seller or winner does not get the role `admin`:
 * nobody decides for the service in their own favour.
 */
export function rolesIn(
  { seller, winner }: Pick<AuctionRow, 'seller' | 'winner'>,
  { person, isAdmin }: Pick<Actor, 'person' | 'isAdmin'>
): readonly ActorRole[] {
  const party: ActorRole = seller === person ? 'seller' : winner === person ? 'winner' : 'bidder'
  return isAdmin && party === 'bidder' ? [party, 'admin'] : [party]
}

const whoNames: Readonly<Record<ActorRole, string>> = {
  seller: 'its seller',
  winner: 'its winner',
  bidder: 'others than seller and winner',
  admin: 'an admin',
  clock: 'nobody'
}
const stateNames: Readonly<Record<AuctionState, string>> = {
  draft: 'is a draft',
  scheduled: 'has not begun',
  live: 'is live',
  ended: 'has ended',
  paid: 'is paid',
  cancelled: 'was cancelled'
}

/**
 * Returns the new state and the role in which the person acts. Throws a 403 if no state permits the act to their roles,
 * and a 409 if only the present state does not.
 */
export function requireAct(row: AuctionRow, asker: Actor, act: Act): Readonly<{ to: AuctionState; who: ActorRole }> {
  const roles = rolesIn(row, asker)
  const ever = transitions.filter(transition => transition.act === act).flatMap(({ who }) => who)
  if (!ever.some(who => roles.includes(who)))
    throw new SurfaceError('FORBIDDEN', `This is for ${[...new Set(ever)].map(who => whoNames[who]).join(' or ')}.`, {
      details: { act }
    })
  const transition = transitionOf(row.status, act)
  const who = transition?.who.find(who => roles.includes(who))
  if (transition === undefined || who === undefined)
    throw conflict(`The auction ${stateNames[row.status]}.`, { status: row.status, acts: actsOf(row, roles) })
  return { to: transition.to, who }
}

export const actsOf = ({ status }: AuctionRow, roles: readonly ActorRole[]): Act[] => [
  ...new Set(roles.flatMap(role => actsIn(status, role)))
]

/** `requestedId`: the auction's id as written in the request. */
type Job = Readonly<{
  store: Store
  asker: Actor
  requestedId: string
  body: JsonObject
  binds: (
    context: Readonly<{ store: StoreTransaction; id: string }>
  ) => Promise<string | undefined> | string | undefined
  does: (context: Omit<ActContext<never>, 'asker' | 'body'>) => Promise<ActResult> | ActResult
}>

const idempotentRequestOf = ({ asker: { person, route, key }, requestedId, body }: Job): IdempotentRequest => ({
  person,
  route,
  key,
  body: { auction: requestedId, ...body }
})

/**
 * Locks the auction and applies its due transitions, also one that becomes due meanwhile; undefined if there is no such
 * auction.
 */
export async function hold(store: StoreTransaction, id: string): Promise<HeldAuction | undefined> {
  const found = await lockAuction(store, id)
  if (found === undefined || !found.isDue) return found
  await applyDue(store, [id])
  return await hold(store, id)
}

const isBidKind = (act: Act): act is BidKind => (bidKinds as readonly Act[]).includes(act)

/**
 * An auction that is locked for several acts. Bids are collected, and written together with the next act that is not
 * `bid`, or at the end: until then the changed row is only in memory, where the following acts read it.
 */
class Turn {
  readonly #store: StoreTransaction
  readonly #id: string
  #held: HeldAuction | undefined
  #isRead = false
  #waiting: readonly WrittenAct[] = []

  constructor(store: StoreTransaction, id: string) {
    ;[this.#store, this.#id] = [store, id]
  }

  /**
   * Performs the act of a job. A refused act has written nothing, because acts check before they write, so the others
   * can go on.
   */
  async do({ asker, requestedId, does }: Job, standing: Standing | undefined): Promise<Acted> {
    if (!this.#isRead) [this.#held, this.#isRead] = [await hold(this.#store, this.#id), true]
    const held = this.#held
    if (held === undefined || (!held.isPublished && !canSeeUnpublished(held.row, asker)))
      throw auctionNotFound(requestedId)
    const { row, now } = held
    const at = new Date(now).toISOString()
    const result = await does({ store: this.#store, row, now, at, standing })
    const { act, change, amount = null } = result
    const { to, who } = requireAct(row, asker, act)
    const bid = isBidKind(act) && amount !== null ? { bidder: asker.person, kind: act, amount } : undefined
    const written = { from: row.status, act, to, who, at: now, change, bid }
    this.#waiting = [...this.#waiting, written]
    this.#held = { ...held, row: applyAct(row, written) }
    if (act !== 'bid') await this.write()
    if (result.noted !== undefined && who === 'admin')
      await recordAct(this.#store.knex, asker.person, `auctions.${result.act}`, row.id, result.noted)
    return { auction_id: row.id, act, status: to, at, amount }
  }

  /** Writes the collected acts. The next act reads the auction again. */
  async write(): Promise<void> {
    await writeActs(this.#store, this.#id, this.#waiting)
    ;[this.#waiting, this.#isRead] = [[], false]
  }
}

/**
 * Performs some acts on one locked auction, one after the other. Locks keys, then people, then the auction: the same
 * order everywhere, which prevents deadlocks.
 */
async function doAll(store: StoreTransaction, id: string, jobs: readonly Job[]): Promise<readonly Outcome[]> {
  return await withIdempotency<Acted, readonly Outcome[]>(store, jobs.map(idempotentRequestOf), async once => {
    const bound: (string | undefined)[] = []
    for (const { binds } of jobs) bound.push(await binds({ store, id }))
    const people = [...new Set(bound.filter(person => person !== undefined))]
    const standings = await lockStandings(store, people, id)
    const turn = new Turn(store, id)
    const outcomes: Outcome[] = []
    for (const [place, job] of jobs.entries()) {
      try {
        const standing = standings.get(bound[place] ?? '')
        outcomes.push({ done: await once(idempotentRequestOf(job), async () => await turn.do(job, standing)) })
      } catch (refused) {
        // An error of the database has a `cause`, and has aborted the whole transaction.
        if (!(refused instanceof SurfaceError) || (refused.status ?? 0) >= 500 || refused.cause !== undefined)
          throw refused
        outcomes.push({ refused })
      }
    }
    await turn.write()
    return outcomes
  })
}

const jobOf = <Body extends JsonObject>(
  store: Store,
  asker: Actor,
  requestedId: string,
  body: Body,
  handler: ActHandler<Body>
): Job => ({
  store,
  asker,
  requestedId,
  body,
  binds: context => handler.binds?.({ ...context, asker, body }),
  does: context => handler({ ...context, asker, body })
})

/**
 * Performs an act on an auction, once per idempotency key, in one transaction with other acts on it that arrive in this
 * process at the same time.
 */
export async function perform<Body extends JsonObject>(
  store: Store,
  asker: Actor,
  id: string,
  body: Body,
  handler: ActHandler<Body>
): Promise<Acted> {
  return await enqueue(idOf(id), jobOf(store, asker, id, body, handler))
}

/** Performs an act as `perform` does, but alone and within a given transaction. */
export async function performWithin<Body extends JsonObject>(
  store: StoreTransaction,
  asker: Actor,
  id: string,
  body: Body,
  handler: ActHandler<Body>
): Promise<Acted> {
  const [outcome] = await doAll(store, idOf(id), [jobOf(store, asker, id, body, handler)])
  if (outcome === undefined || 'refused' in outcome) throw outcome?.refused ?? new Error('An act has an outcome.')
  return outcome.done
}

type Outcome = Readonly<{ done: Acted } | { refused: Error }>

type QueuedJob = Readonly<{ job: Job; end: (outcome: Outcome) => void; timer: NodeJS.Timeout }>

/** The most jobs in one turn, and the longest time that a job may wait, in milliseconds. */
const maxBatchSize = 32
const maxWaitMs = 10_000

/**
 * Whether the database refused what one job may have caused: invalid data, a violated constraint, a conflict of
 * transactions or a raised exception (SQLSTATE classes 22, 23, 40 and P0). It rolls back the whole transaction although
 * other jobs may be valid.
 */
function isOfOne(error: Error): boolean {
  const { code } = (error.cause ?? error) as Readonly<{ code?: unknown }>
  return /^(?:22|23|40|P0)/.test(String(code))
}

async function outcomesOf(id: string, jobs: readonly Job[]): Promise<readonly Outcome[]> {
  const [first] = jobs
  if (first === undefined) return []
  try {
    return await inTransaction(first.store, async store => await doAll(store, id, jobs))
  } catch (error) {
    const refused = error instanceof Error ? error : new Error(String(error))
    if (jobs.length === 1 || !isOfOne(refused)) return jobs.map(() => ({ refused }))
    const outcomes: Outcome[] = []
    for (const job of jobs) outcomes.push(...(await outcomesOf(id, [job])))
    return outcomes
  }
}

/**
 * The jobs that wait, by the id of their auction. They are requests whose callers wait in this process, so they are in
 * memory and no declared job does them.
 */
const queues = new Map<string, QueuedJob[]>()

async function drainQueue(id: string, queue: QueuedJob[]): Promise<void> {
  while (queue.length > 0) {
    // Lets the jobs arrive that the same turn of the event loop brings.
    await setImmediate()
    const turn = queue.splice(0, maxBatchSize)
    for (const { timer } of turn) clearTimeout(timer)
    const jobs = turn.map(({ job }) => job)
    const outcomes = await outcomesOf(id, jobs)
    for (const [place, { end }] of turn.entries())
      end(outcomes[place] ?? { refused: new Error('A turn gave no outcome.') })
  }
  queues.delete(id)
}

/**
 * Adds a job to the queue of its auction, which is worked off in turns. Up to `maxBatchSize` jobs that arrive during a
 * turn are done together in the next one, so that they share one commit; if it fails for a reason that one job may
 * have caused (`isOfOne`), each is retried alone. 503 for a job that waits longer than `maxWaitMs`.
 */
const enqueue = async (id: string, job: Job): Promise<Acted> =>
  await new Promise((resolve, reject) => {
    const begun = queues.get(id)
    const queue = begun ?? []
    const waiting: QueuedJob = {
      job,
      end: outcome => {
        if ('done' in outcome) resolve(outcome.done)
        else reject(outcome.refused)
      },
      timer: setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(
          unavailable('Too many act on this auction at once. Please try again in a moment.', 1, { subsystem: 'market' })
        )
      }, maxWaitMs)
    }
    queue.push(waiting)
    if (begun !== undefined) return
    queues.set(id, queue)
    void drainQueue(id, queue)
  })
