import type { DataOf } from 'pantry/data'
import { Facts, Table, type Column, type VNode } from 'pantry/page'
import { severities, type Signal, type PendingAuction } from '../operating.ts'
import { disputeNames, outcomeNames } from './words.ts'
import type { Desk } from '../reports.ts'
import { AboutField, minuteOf, SessionForm } from '../../people/page/forms.tsx'
import type { KeptReport } from '../../playful/inbox.ts'
import type { LeftOut } from '../../sources/runs.ts'

type WaitingAuction = DataOf<typeof PendingAuction> & Readonly<{ page: string }>
type Props = Readonly<{
  desk: Readonly<{ auctions: readonly WaitingAuction[]; signals: readonly DataOf<typeof Signal>[] }>
  token: string
}>

const auctionColumn: Column<WaitingAuction> = { head: 'Auction', cell: ({ title, page }) => <a href={page}>{title}</a> }
const sinceColumn: Column<WaitingAuction> = { head: 'Since', cell: ({ updated_at: at }) => minuteOf(at) }

/** A table of the auctions that wait for one thing: approval, payment or a decision. */
function waitingTable(
  { auctions }: Props['desk'],
  waits: WaitingAuction['waits'],
  what: string,
  columns: readonly Column<WaitingAuction>[]
): VNode {
  const rows = auctions.filter(one => one.waits === waits)
  return (
    <Table
      caption={`${what}s waiting: ${rows.length}`}
      rows={rows}
      none={`No ${what.toLowerCase()}s waiting.`}
      columns={columns}
    />
  )
}

/** The hidden idempotency key makes sending a form twice harmless. */
const Key = ({ of: { id, updated_at: at } }: Readonly<{ of: WaitingAuction }>): VNode => (
  <input type="hidden" name="idempotency_key" value={`desk_${id}_${at}`.replaceAll(' ', '_')} />
)

export const WaitingConsignments = ({ desk, token }: Props): VNode =>
  waitingTable(desk, 'approval', 'Consignment', [
    auctionColumn,
    sinceColumn,
    {
      head: 'Decide',
      cell: one => (
        <SessionForm action={`${one.page}/approve`} token={token} button="Decide" about={one.title}>
          <Key of={one} />
          <label for={`take-${one.id}`}>Decision</label>
          <select id={`take-${one.id}`} name="decision">
            <option value="approve">Accept it</option>
            <option value="refuse">Refuse it</option>
          </select>
          <label for={`notes-${one.id}`}>Notes for the seller</label>
          <input type="text" id={`notes-${one.id}`} name="notes" maxLength={2000} />
        </SessionForm>
      )
    }
  ])

/** Sales whose payment is not recorded yet. */
export const WaitingPayments = ({ desk, token }: Props): VNode =>
  waitingTable(desk, 'payment', 'Payment', [
    auctionColumn,
    sinceColumn,
    {
      head: '',
      cell: one => (
        <SessionForm action={`${one.page}/paid`} token={token} button="The money has arrived" about={one.title} harms>
          <Key of={one} />
        </SessionForm>
      )
    }
  ])

export const WaitingDisputes = ({ desk, token }: Props): VNode =>
  waitingTable(desk, 'a decision', 'Dispute', [
    {
      head: 'Auction',
      cell: ({ title, page, dispute }) => (
        <>
          <a href={page}>{title}</a>
          <br />
          <small>{dispute !== null && disputeNames[dispute]}</small>
        </>
      )
    },
    { head: 'What is wrong', cell: ({ statement }) => <span class="participant">{statement ?? ''}</span> },
    {
      head: 'Decide',
      cell: one => (
        <SessionForm
          action={`${one.page}/dispute/decide`}
          token={token}
          button="Decide"
          about={`the dispute of ${one.title}`}
        >
          <Key of={one} />
          <AboutField of={one.title} />
          <label for={`outcome-${one.id}`}>Outcome</label>
          <select id={`outcome-${one.id}`} name="outcome">
            {Object.entries(outcomeNames).map(([outcome, words]) => (
              <option value={outcome}>{words}</option>
            ))}
          </select>
          <label for={`why-${one.id}`}>Reason</label>
          <input type="text" id={`why-${one.id}`} name="reason" required maxLength={2000} />
        </SessionForm>
      )
    }
  ])

/** The fraud signals that hold, and a form to add one. Nobody (`you`: their username) resolves one about themselves. */
export const Signals = ({ desk: { signals }, you, token }: Props & Readonly<{ you: string }>): VNode => (
  <>
    <Table
      caption={`Active signals: ${signals.length}`}
      rows={signals}
      none="No active signals."
      columns={[
        { head: 'Who', cell: ({ username }) => username },
        { head: 'Severity', cell: ({ severity }) => severity },
        {
          head: 'Why',
          cell: ({ reason, set_at: at }) => (
            <>
              {reason}
              <br />
              <small>{minuteOf(at)}</small>
            </>
          )
        },
        {
          head: '',
          cell: ({ id, username }) =>
            username !== you && (
              <SessionForm
                action={`/account/operator/signals/${id}/resolve`}
                token={token}
                button="Resolve"
                about={`the signal about ${username}`}
              />
            )
        }
      ]}
    />
    <details>
      <summary>Set a signal</summary>
      <SessionForm action="/account/operator/signals" token={token} button="Set the signal" about="fraud">
        <label for="signal-username">Username</label>
        <input
          type="text"
          id="signal-username"
          name="username"
          required
          maxLength={80}
          autocapitalize="none"
          spellcheck={false}
        />
        <label for="signal-severity">Severity</label>
        <select id="signal-severity" name="severity">
          {severities.map(one => (
            <option selected={one === 'medium'}>{one}</option>
          ))}
        </select>
        <label for="signal-reason">What you saw</label>
        <input type="text" id="signal-reason" name="reason" required minLength={3} maxLength={2000} />
      </SessionForm>
    </details>
  </>
)

export const WaitingReports = ({
  desk: { reports },
  token
}: Readonly<{ desk: DataOf<typeof Desk>; token: string }>): VNode => (
  <Table
    caption={`Reports waiting: ${reports.length}`}
    rows={reports}
    none="No reports waiting."
    columns={[
      {
        head: 'What',
        cell: ({ kind, of, page }) => (page === null ? `${kind} ${of ?? 'that is gone'}` : <a href={page}>{kind}</a>)
      },
      { head: 'It says', cell: ({ shown }) => (shown === null ? 'gone' : <span class="participant">{shown}</span>) },
      {
        head: 'Reported',
        cell: ({ ground, text, reporter, reported_at: at }) => (
          <>
            <strong>{ground.replaceAll('-', ' ')}</strong>: {text}
            <br />
            <small>
              {reporter}, {minuteOf(at)}
            </small>
          </>
        )
      },
      {
        head: 'Decide',
        cell: ({ id, kind, of }) => (
          <SessionForm
            action={`/account/operator/reports/${id}/decide`}
            token={token}
            button="Decide"
            about={`the report of a ${kind}`}
          >
            <AboutField of={`the ${kind} ${of ?? 'that is gone'}`} />
            <label for={`decision-${id}`}>Decision</label>
            <select id={`decision-${id}`} name="decision">
              <option value="keep">Keep it</option>
              <option value="remove">Remove it</option>
            </select>
            <label for={`reason-${id}`}>Reason</label>
            <input type="text" id={`reason-${id}`} name="reason" required minLength={3} maxLength={1000} />
          </SessionForm>
        )
      }
    ]}
  />
)

export const LeftOutTable = ({ of }: Readonly<{ of: readonly DataOf<typeof LeftOut>[] }>): VNode => (
  <Table
    caption="Rows that the last import of each source left out"
    rows={of}
    none="The last imports left nothing out."
    columns={[
      {
        head: 'Source',
        cell: ({ source, finished_at: at }) => (
          <>
            <a href={`/sources/${encodeURIComponent(source)}`}>{source}</a>
            <br />
            <small>{at.slice(0, 10)}</small>
          </>
        )
      },
      { head: 'Rows', isNumber: true, cell: ({ rows }) => rows.toLocaleString('en') },
      { head: 'Why', cell: ({ reason }) => reason },
      {
        head: 'The first of them',
        cell: ({ first }) =>
          first.map((id, at) => (
            <>
              {at > 0 && ', '}
              <code>{id}</code>
            </>
          ))
      }
    ]}
  />
)

/** A report to the operator, with forms to reply to it and to delete it. */
export const ReportSheet = ({
  of: { id, report, received_at: at, reply, reply_may_be_public: mayBePublic },
  token
}: Readonly<{ of: KeptReport; token: string }>): VNode => (
  <section>
    <h2>
      {String(report['kind'])}, {minuteOf(at)}
    </h2>
    <Facts
      of={Object.fromEntries(
        Object.entries(report)
          .filter(([name]) => name !== 'kind')
          .map(([name, value]) => [name.replaceAll('_', ' '), String(value)])
      )}
    />
    <p>{mayBePublic ? 'The sender lets everyone read the reply.' : 'The reply is not public.'}</p>
    <SessionForm action={`/account/inbox/${id}/reply`} token={token} button="Reply">
      <label for={`reply-${id}`}>Reply</label>
      <textarea id={`reply-${id}`} name="reply" required maxLength={4000} rows={4}>
        {reply ?? ''}
      </textarea>
    </SessionForm>
    <SessionForm
      action={`/account/inbox/${id}/remove`}
      token={token}
      button="Delete"
      harms
      about={`the report of ${at.slice(0, 16)}`}
    />
  </section>
)
