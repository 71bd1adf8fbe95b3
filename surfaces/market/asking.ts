import { type Caller, type JsonObject } from 'pantry/data'
import { personOf } from '../accounts/own.ts'
import { keyOf } from './idempotency.ts'
import { perform, type Acted, type ActAsker, type Doing } from './perform.ts'
import type { Store } from './row.ts'

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
