import { counted, type DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import { languageName } from '../../pages/words.ts'
import type { Bridge } from '../schemas.ts'

type Metrics = DataOf<typeof Bridge>['metrics']

/** The labels of the metrics. */
const names: Readonly<Record<keyof Metrics, string>> = {
  portfolio_jaccard: 'How alike their collections are',
  portfolio_shared_count: 'Cards that both have',
  wishlist_jaccard: 'How alike their wishes are',
  a_wants_from_b: 'What B could give A',
  b_wants_from_a: 'What A could give B',
  trade_potential: 'What could change hands in all',
  language_jaccard: 'How alike their languages are',
  shared_languages: 'Languages that both use',
  region_match: 'Country or territory',
  cadence_ratio: 'How alike their times to answer are',
  bridge_score: 'How alike they are on the whole'
}

/** Formats a value with its unit, or the reason why there is none. */
function stated({ value, unit, reason }: Metrics[keyof Metrics]): string {
  if (value === null) return reason === 'nothing_to_compare' ? 'nothing to compare' : 'A or B has not published it'
  if (typeof value === 'object') return value.map(languageName).join(', ') || 'none'
  if (typeof value === 'string') return value
  return unit === 'share' ? `${Math.round(value * 100)} %` : counted(value, 'card')
}

/** The comparison of two parties, metric by metric. */
export const BridgeView = ({ bridge: { a, b, metrics, note } }: Readonly<{ bridge: DataOf<typeof Bridge> }>): VNode => (
  <>
    <h2>
      A is {a}, and B is {b}
    </h2>
    <p>
      {names.bridge_score}: <strong>{stated(metrics.bridge_score)}</strong>
    </p>
    <Table
      caption="What A and B have in common, and what each measure says"
      rows={Object.entries(names)}
      columns={[
        { head: 'Measure', cell: ([, name]) => name },
        { head: 'Value', cell: ([metric]) => stated(metrics[metric as keyof Metrics]) },
        { head: 'What it says', cell: ([metric]) => metrics[metric as keyof Metrics].formula }
      ]}
    />
    <p class="note">{note}</p>
  </>
)
