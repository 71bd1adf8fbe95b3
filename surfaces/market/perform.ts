import { SurfaceError, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { noteAct } from '../accounts/acts.ts'
import { conflict } from '../errors.ts'
import { lockStanding, type Standing } from './bidder.ts'
import { applyDue } from './due.ts'
import { isTheirs } from './gate.ts'
import { once } from './idempotency.ts'
import { lockAuction } from './lock.ts'
import { idOf, noAuction, writeEvent, type AuctionChange, type AuctionRow, type NamesBid, type NewBid, type Store } from './row.ts'
import { actsIn, transitionOf, transitions, type Act, type State, type Transition, type Who } from './states.ts'
import { inTurn } from './turns.ts'

/** Who asks, and what makes a retry of it harmless. */
export type Asker = Readonly<{ person: string, isAdmin: boolean, route: string, key: string | undefined }>

/** What an act came to: without a person in it, because a retry is answered with it again. */
export type Acted = Readonly<{ auction_id: string, act: Act, status: State, at: string, amount: number | null }>

/** What an act is given: the locked auction with what is due applied, at the clock of the database; for acts that bind a person with money, their standing. */
export type Given<Body> = Readonly<{ store: Pick<Store, 'rows'>, transaction: Knex.Transaction, row: AuctionRow, now: number, asker: Asker, body: Body, standing: Standing | undefined }>

/** What an act does: which it is, what changes, the bid that is stored with it and what names it, and for acts of an admin what is written down. */
export type Done = Readonly<{ act: Act, change: AuctionChange, amount?: number, bid?: NewBid, names?: readonly NamesBid[], noted?: JsonObject }>
export type Doing<Body> = ((given: Given<Body>) => Promise<Done> | Done) & Readonly<{ binds?: Binds<Body> }>

/** Whom an act binds with money, found before anything is locked. */
type Binds<Body> = (given: Readonly<{ store: Pick<Store, 'rows'>, transaction: Knex.Transaction, id: string, asker: Asker, body: Body }>) => Promise<string | undefined> | string

/** An act that binds somebody with money: they are locked and counted before the auction is, because many wait for the auction and nobody waits for them. */
export const binding = <Body>(binds: Binds<Body>, doing: (given: Given<Body>) => Promise<Done>): Doing<Body> => Object.assign(doing, { binds })

/** What somebody is to an auction. An admin who sells or has bought it is a party alone: nobody decides for the service what they gain by. */
export function rolesIn ({ seller, winner }: Pick<AuctionRow, 'seller' | 'winner'>, { person, isAdmin }: Pick<Asker, 'person' | 'isAdmin'>): readonly Who[] {
  const party: Who = seller === person ? 'seller' : winner === person ? 'winner' : 'bidder'
  return isAdmin && party === 'bidder' ? [party, 'admin'] : [party]
}

const whoNames: Readonly<Record<Who, string>> = { seller: 'its seller', winner: 'its winner', bidder: 'others than seller and winner', admin: 'an admin', clock: 'nobody' }
const stateNames: Readonly<Record<State, string>> = { draft: 'is a draft', scheduled: 'has not begun', live: 'is live', ended: 'has ended', paid: 'is paid', cancelled: 'was cancelled' }

/** As whom somebody does something; 403 where it is never theirs, 409 where the auction is not so far, or no longer. */
export function requireAct (row: AuctionRow, asker: Asker, act: Act): Readonly<{ transition: Transition, who: Who }> {
  const roles = rolesIn(row, asker)
  const ever = (transitions as readonly Transition[]).filter(one => one.act === act).flatMap(({ who }) => who)
  if (!ever.some(who => roles.includes(who))) throw new SurfaceError('FORBIDDEN', `This is for ${[...new Set(ever)].map(who => whoNames[who]).join(' or ')}.`, { details: { act } })
  const transition = transitionOf(row.status, act)
  const who = transition?.who.find(one => roles.includes(one))
  if (transition === undefined || who === undefined) {
    throw conflict(`The auction ${stateNames[row.status]}.`, { status: row.status, acts: [...new Set(roles.flatMap(role => actsIn(row.status, role)))] })
  }
  return { transition, who }
}

/** The locked auction with what is due applied; 404 for one that the asker cannot find. */
async function settled (store: Store, transaction: Knex.Transaction, id: string, asker: Asker): Promise<Readonly<{ row: AuctionRow, now: number }>> {
  const { row, now, isDue, isPublished } = await lockAuction(store, transaction, id)
  if (!isPublished && !isTheirs(row, asker)) throw noAuction(id)
  if (!isDue) return { row, now }
  await applyDue(store, transaction, [id])
  return await lockAuction(store, transaction, id)
}

/** Does something to an auction: in one transaction, on the locked row, against the clock of the database; once for each idempotency key. */
export async function perform<Body extends JsonObject> (store: Store, asker: Asker, named: string, body: Body, doing: Doing<Body>): Promise<Acted> {
  const id = idOf(named)
  return await inTurn(id, async () => await once<Acted>(store, { person: asker.person, route: asker.route, key: asker.key, body: { auction: id, ...body } }, async transaction => {
    const bound = await doing.binds?.({ store, transaction, id, asker, body })
    const standing = bound === undefined ? undefined : await lockStanding(store, transaction, bound, id)
    const { row, now } = await settled(store, transaction, id, asker)
    const { act, change, amount, bid, names, noted } = await doing({ store, transaction, row, now, asker, body, standing })
    const { transition: { to }, who } = requireAct(row, asker, act)
    await writeEvent(transaction, row, { act, to, who, at: now }, change, bid, names)
    if (noted !== undefined && who === 'admin') await noteAct(transaction, asker.person, `auctions.${act}`, id, noted)
    return { auction_id: id, act, status: to, at: new Date(now).toISOString(), amount: amount ?? null }
  }))
}
