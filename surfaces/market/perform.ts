import { SurfaceError, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { noteAct } from '../accounts/acts.ts'
import { conflict } from '../errors.ts'
import { applyDue } from './due.ts'
import { once } from './idempotency.ts'
import { findAuction } from './gate.ts'
import { clockOf, writeEvent, type AuctionChange, type AuctionRow, type Store } from './row.ts'
import { actsIn, transitionOf, transitions, type Act, type State, type Transition, type Who } from './states.ts'

/** Who asks, and what makes a retry of it harmless. */
export type Asker = Readonly<{ person: string, isAdmin: boolean, route: string, key: string | undefined }>

/** What an act came to: without a person in it, because a retry is answered with it again. */
export type Acted = Readonly<{ auction_id: string, act: Act, status: State, at: string, amount: number | null }>

/** What an act is given: the locked auction with what is due applied, at the clock of the database. */
export type Given<Body> = Readonly<{ store: Pick<Store, 'rows'>, transaction: Knex.Transaction, row: AuctionRow, now: number, asker: Asker, body: Body }>

/** What an act does: which it is, what changes, and for acts of an admin what is written down. */
export type Done = Readonly<{ act: Act, change: AuctionChange, amount?: number, noted?: JsonObject }>
export type Doing<Body> = (given: Given<Body>) => Promise<Done> | Done

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

/** Does something to an auction: in one transaction, on the locked row, against the clock of the database; once for each idempotency key. */
export async function perform<Body extends JsonObject> (store: Store, asker: Asker, id: string, body: Body, doing: Doing<Body>): Promise<Acted> {
  return await once<Acted>(store, { person: asker.person, route: asker.route, key: asker.key, body: { auction: id, ...body } }, async transaction => {
    const locked = await findAuction(store, transaction, id, asker, query => query.forUpdate('a'))
    const now = await clockOf(store, transaction)
    const row = await applyDue(store, transaction, locked, now)
    const { act, change, amount, noted } = await doing({ store, transaction, row, now, asker, body })
    const { transition: { to }, who } = requireAct(row, asker, act)
    await writeEvent(transaction, row, { act, to, who, at: now }, change)
    if (noted !== undefined && who === 'admin') await noteAct(transaction, asker.person, `auctions.${act}`, id, noted)
    return { auction_id: id, act, status: to, at: new Date(now).toISOString(), amount: amount ?? null }
  })
}
