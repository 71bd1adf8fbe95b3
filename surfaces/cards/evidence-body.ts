import type { DataOf, PathTo } from 'pantry/data'
import type { CardEvidence } from '../catalogue/catalogue.ts'
import { withheld } from '../catalogue/document-members.ts'
import type { Source } from '../import/source.ts'
import type { EvidenceSchema } from './schemas.ts'

type Evidence = DataOf<typeof EvidenceSchema>

const states = { wired: 'observed_withheld', blocked: 'blocked', planned: 'planned' } as const

/** What a source may say of a price: nothing, and why. */
const sourceState = ({ id, label, access, access_reason: reason, license }: Source, observers: readonly string[]): Evidence['source_states'][number] => ({
  id,
  name: label,
  state: states[access],
  observed_this_card: observers.includes(id),
  license,
  reason
})

/**
 * What is claimed of a card, in classes that are never mixed: each class has members of its own, and a class about which nothing is
 * published says so instead of borrowing from another.
 */
export function evidenceBody (sku: string, { game, sources: observers, disagreements }: CardEvidence, sources: ReadonlyMap<string, Source>, pathTo: PathTo): Evidence {
  return {
    '@kind': 'card-evidence',
    sku,
    aggregate_rights: 'NOASSERTION',
    publication_boundary: { reference: withheld, market: withheld, completed_sales: withheld, community_observations: withheld },
    reference: { kind: 'computed_reference', amount_gbp: null, observed_at: null, is_offer: false, rights: 'NOASSERTION' },
    market: { kind: 'live_collector_offers', best_ask_gbp: null, best_bid_gbp: null, ask_count: 0, bid_count: 0, rights: 'NOASSERTION' },
    completed_sales: {
      kind: 'completed_sales',
      state: 'paused',
      reason: 'A completed sale belongs to the two people who made it. None is published before both have agreed.',
      resumes_when: ['Buyer and seller have each agreed to a named version of a publication text.', 'A smallest number of sales for each published figure is written down and tested.'],
      buckets: [],
      published_bucket_count: 0,
      rights: 'NOASSERTION',
      source_rights: 'internal-only'
    },
    community_observations: {
      kind: 'collector_observations',
      state: 'paused',
      publication_status: 'paused',
      reason: 'What collectors report of prices is not gathered: there is no account yet that could give and take back a permission.',
      resumes_when: ['Collectors can sign in, give a permission for each report, and take it back.'],
      buckets: [],
      as_of: null,
      rights: 'NOASSERTION',
      source_rights: 'internal-only'
    },
    structure: {
      kind: 'structural_observation',
      observed_by: observers.map(id => ({ id, name: sources.get(id)?.label ?? id })),
      disagreements,
      rights: 'NOASSERTION'
    },
    source_states: [...sources.values()].filter(({ access, games }) => access !== 'wired' || games.includes(game)).map(source => sourceState(source, observers)),
    links: { everything: pathTo('cards/everything', { sku }), sold_comps: pathTo('cards/sold-comps-sku', { sku }), sources: pathTo('sources/registry'), methodology: pathTo('kind', { kind: 'methodology' }) }
  }
}
