import { Facts, Table, type VNode } from 'pantry/page'
import { formatMoney } from '../money.ts'
import { reviewerWeights, tiers, type TrustShown } from '../trust.ts'
import { rightsOf } from './words.ts'

type Props = Readonly<{ of: TrustShown; report: (review: string) => VNode }>

/** Shows each part of a score, so that anybody can add them up. `report` renders the form that reports a review. */
export const TrustSheet = ({
  of: { username, member_since: since, trust_score: score, tier, completed_trades: completed, parts, reviews },
  report
}: Props): VNode => (
  <>
    <p class="lead">
      {username} has {score} of 100 points: {tier.name}.
    </p>
    <Facts
      of={{
        'Member since': since,
        'Completed trades': String(completed),
        Reviews:
          reviews.average === null
            ? 'none'
            : `${reviews.average.toFixed(2)} of 5 stars in ${reviews.total}, ${reviews.five_star} of five stars`
      }}
    />
    <h2>How the score is made</h2>
    <p>The parts are added up; less than 0 is 0, and more than 100 is 100.</p>
    <Table
      caption="Parts of the score"
      rows={parts}
      columns={[
        { head: 'Part', cell: ({ part }) => part.replaceAll('_', ' ') },
        { head: 'Points', isNumber: true, cell: ({ points }) => String(points) },
        { head: 'At most', isNumber: true, cell: ({ bound }) => (bound === null ? '' : String(bound)) },
        { head: 'From', cell: ({ from }) => from }
      ]}
    />
    <p>
      A review weighs by the score that its author had when they wrote it:{' '}
      {reviewerWeights.map(({ from, weight }) => `${weight} from ${from} points on`).join(', ')}. Seller and buyer may
      each write one, once a trade is complete.
    </p>
    <Table
      caption="What a score allows"
      rows={tiers}
      columns={[
        { head: 'Tier', cell: ({ name: one }) => (one === tier.name ? <strong>{one}, now</strong> : one) },
        { head: 'From', isNumber: true, cell: ({ min_score: least }) => String(least) },
        {
          head: 'In one trade',
          isNumber: true,
          cell: ({ trade_limit: pence }) => formatMoney({ pence, currency: 'GBP' })
        },
        {
          head: 'In 24 hours',
          isNumber: true,
          cell: ({ daily_limit: pence }) => formatMoney({ pence, currency: 'GBP' })
        }
      ]}
    />
    <h2>What others say</h2>
    <Table
      caption="Reviews by the other side of completed trades, the newest first"
      none="Nobody has written a review."
      rows={reviews.latest}
      columns={[
        { head: 'When', cell: ({ written_on: day }) => day },
        { head: 'Stars', isNumber: true, cell: ({ stars }) => String(stars) },
        { head: 'By the', cell: ({ by }) => by },
        { head: 'Words', cell: ({ text }) => text },
        { head: 'Rights', cell: ({ license }) => rightsOf(license) },
        { head: '', cell: ({ id }) => report(id) }
      ]}
    />
  </>
)
