import { type Caller, type JsonObject } from 'pantry/data'
import { personOf } from '../accounts/own.ts'
import { keyOf } from './idempotency.ts'
import { createListing, type ListingRequest } from './listing.ts'
import { perform, type Acted, type ActAsker, type Doing } from './perform.ts'
import type { Store } from './row.ts'

/** The parts of a request that the market needs. */
type Request<Body> = Readonly<{
  caller: Caller
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: Body
}>
type Keyed = Readonly<{ idempotency_key?: string }>

const askerOf = ({ caller, headers, body }: Request<Keyed>, route: string): ActAsker => ({
  person: personOf(caller),
  isAdmin: caller.grants.includes('admin'),
  route,
  key: keyOf(headers['idempotency-key'] ?? body.idempotency_key)
})

const withoutKey = <Body>(body: Body & Keyed): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'idempotency_key')) as Body

/** Performs an act on an auction for the caller. Idempotency keys are separate for each `route`. */
export async function actOn<Body extends JsonObject>(
  store: Store,
  request: Request<Body & Keyed> & Readonly<{ params: Readonly<{ id: string }> }>,
  route: string,
  doing: Doing<Body>
): Promise<Acted> {
  return await perform(store, askerOf(request, route), request.params.id, withoutKey<Body>(request.body), doing)
}

/** Creates a draft for the caller. */
export async function draft(store: Store, request: Request<ListingRequest & Keyed>): Promise<Acted> {
  return await createListing(store, askerOf(request, 'create'), withoutKey<ListingRequest>(request.body))
}
