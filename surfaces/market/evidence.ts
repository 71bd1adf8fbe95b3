import { closed, Count, Moment, nullable, Path, Text, Type, type DataOf, type PathTo } from 'pantry/data'
import { Boundary, Nothing, SourceStates, sourceStates } from '../cards/card-answers.ts'
import type { Catalogue, CardEvidence } from '../cards/catalogue.ts'
import { withheld } from '../cards/documents/parts.ts'
import { SaidFact, saidFacts } from '../cards/facts-by-source.ts'
import { Path as ServicePath } from '../cards/documents/schemas.ts'
import { conventionsPath } from '../cards/price-states.ts'
import type { RegisteredSource } from '../cards/registered-source.ts'
import type { Store } from '../common/repository.ts'
import { auctionColumns, AuctionRow, auctionTypes, databaseNow, conditions, isPublished } from './auction.ts'
import { shownPrice } from './bidding.ts'
import { stateAt } from './due.ts'
import { StatedAmount, statedAmount } from './money.ts'

const maxOffers = 20

/** A live auction of a card: a statement of its participants, never a reference price. */
const CollectorOffer = closed({
  auction: Path,
  page: Path,
  auction_type: Type.Enum(auctionTypes),
  condition: Type.Enum(conditions),
  amount: StatedAmount,
  bid_count: Count,
  ends_at: nullable(Moment)
})

/**
 * The live auctions of a card: `ask_count` is their number, `bid_count` that of all their bids, and `offers` has the 20
 * that end first.
 */
export const CollectorOffers = closed({ ask_count: Count, bid_count: Count, offers: Type.Array(CollectorOffer) })
export type CollectorOffers = DataOf<typeof CollectorOffers>

export async function offersOf(store: Store, sku: string, pathTo: PathTo): Promise<CollectorOffers> {
  const { knex, rows } = store
  const live = knex('auctions as a')
    .where({ 'a.sku': sku })
    .whereRaw(`${stateAt('statement_timestamp()')} = 'live'`)
    .whereRaw(isPublished)
  const [found, [sum], now] = await Promise.all([
    rows(
      AuctionRow,
      live
        .clone()
        .select(auctionColumns.map(name => `a.${name}`))
        .orderBy('a.ends_at')
        .orderBy('a.id')
        .limit(maxOffers)
    ),
    rows(
      closed({ asks: Count, bids: Count }),
      live.clone().select(knex.raw('count(*) as asks, coalesce(sum(a.bid_count), 0)::bigint as bids'))
    ),
    databaseNow(store)
  ])
  return {
    ask_count: sum?.asks ?? 0,
    bid_count: sum?.bids ?? 0,
    offers: found.map(row => ({
      auction: pathTo('market/auction', { id: row.id }),
      page: pathTo('pages/auctions/auction', { id: row.id }),
      auction_type: row.auction_type,
      condition: row.condition,
      amount: statedAmount(shownPrice(row, now), row.currency),
      bid_count: row.bid_count,
      ends_at: row.ends_at
    }))
  }
}

const Paused = {
  kind: Text,
  state: Type.Literal('paused'),
  rights: Text,
  source_rights: Text,
  reason: Text,
  resumes_when: Type.Array(Text)
}

/** Each class of claim has its own members, so that claims of different classes are never mixed. */
export const EvidenceSchema = closed({
  '@kind': Type.Literal('card-evidence'),
  sku: Text,
  aggregate_rights: Type.Literal('NOASSERTION'),
  publication_boundary: Boundary,
  reference: closed({
    kind: Type.Literal('computed_reference'),
    amount_gbp: Type.Null(),
    observed_at: Type.Null(),
    is_offer: Type.Literal(false),
    rights: Text
  }),
  market: closed({
    kind: Type.Literal('live_collector_offers'),
    best_ask_gbp: Type.Null(),
    best_bid_gbp: Type.Null(),
    ...CollectorOffers.properties,
    rights: Text
  }),
  completed_sales: closed({ ...Paused, buckets: Nothing, published_bucket_count: Type.Literal(0) }),
  community_observations: closed({
    ...Paused,
    publication_status: Type.Literal('paused'),
    buckets: Nothing,
    as_of: Type.Null()
  }),
  structure: closed({
    kind: Type.Literal('structural_observation'),
    observed_by: Type.Array(closed({ id: Text, name: Text })),
    facts: Type.Array(SaidFact),
    disagreements: Type.Array(
      closed({ field: Text, statements: Type.Array(closed({ source: Text, value: Type.Unknown() })) })
    ),
    rights: Text
  }),
  source_states: SourceStates,
  links: closed({ everything: ServicePath, sold_comps: ServicePath, sources: ServicePath, methodology: ServicePath })
})

type Evidence = DataOf<typeof EvidenceSchema>

type Registered = Readonly<{
  catalogue: Pick<Catalogue, 'isObserved' | 'cardInFull' | 'statementsOf'>
  sources: ReadonlyMap<string, RegisteredSource>
  offers: CollectorOffers
}>

/**
 * Returns what is known of a card, by class of claim. A class for which nothing is published says so and uses no data
 * of another class. Rejects when the catalogue cannot be read.
 */
export async function evidenceBody(
  sku: string,
  card: CardEvidence,
  { catalogue, sources, offers }: Registered,
  pathTo: PathTo
): Promise<Evidence> {
  const { game, sources: observers, disagreements } = card
  const [held, statements] = await Promise.all([catalogue.cardInFull(sku), catalogue.statementsOf(sku)])
  return {
    '@kind': 'card-evidence',
    sku,
    aggregate_rights: 'NOASSERTION',
    publication_boundary: {
      reference: withheld,
      market: 'participants_statements_only',
      completed_sales: withheld,
      community_observations: withheld
    },
    reference: {
      kind: 'computed_reference',
      amount_gbp: null,
      observed_at: null,
      is_offer: false,
      rights: 'NOASSERTION'
    },
    market: { kind: 'live_collector_offers', best_ask_gbp: null, best_bid_gbp: null, ...offers, rights: 'NOASSERTION' },
    completed_sales: {
      kind: 'completed_sales',
      state: 'paused',
      reason: 'A completed sale belongs to the two people who made it. None is published before both have agreed.',
      resumes_when: [
        'Buyer and seller have each agreed to a named version of a publication text.',
        'A smallest number of sales for each published figure is written down and tested.'
      ],
      buckets: [],
      published_bucket_count: 0,
      rights: 'NOASSERTION',
      source_rights: 'internal-only'
    },
    community_observations: {
      kind: 'collector_observations',
      state: 'paused',
      publication_status: 'paused',
      reason:
        'What collectors report of prices is not gathered: no permission for a report can be given and taken back yet.',
      resumes_when: ['Collectors can give a permission for each report, and take it back.'],
      buckets: [],
      as_of: null,
      rights: 'NOASSERTION',
      source_rights: 'internal-only'
    },
    structure: {
      kind: 'structural_observation',
      observed_by: observers.map(id => ({ id, name: sources.get(id)?.label ?? id })),
      facts: held === undefined ? [] : saidFacts(held.card, statements),
      disagreements,
      rights: 'NOASSERTION'
    },
    source_states: await sourceStates(catalogue, sources, game, observers),
    links: {
      everything: pathTo('cards/everything', { sku }),
      sold_comps: pathTo('cards/sold-comps-sku', { sku }),
      sources: pathTo('sources/registry'),
      methodology: conventionsPath(pathTo)
    }
  }
}
