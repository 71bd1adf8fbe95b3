import type { DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import { OwnForm } from '../../accounts/page/forms.tsx'
import { minuteOf } from '../../accounts/page/when.ts'
import type { Desk } from '../desk.ts'

type ReportsProps = Readonly<{ desk: DataOf<typeof Desk>; token: string }>

/** The undecided reports with the reported content, each with a form to decide it. */
export const WaitingReports = ({ desk: { reports }, token }: ReportsProps): VNode => (
  <Table
    caption={`Reports that wait: ${reports.length}`}
    rows={reports}
    none="No report waits."
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
        cell: ({ id, kind }) => (
          <OwnForm
            action={`/account/operator/reports/${id}/decide`}
            token={token}
            button="Decide"
            about={`the report of a ${kind}`}
          >
            <label for={`decision-${id}`}>Decision</label>
            <select id={`decision-${id}`} name="decision">
              <option value="keep">it stays</option>
              <option value="remove">remove it</option>
            </select>
            <label for={`reason-${id}`}>Reason</label>
            <input type="text" id={`reason-${id}`} name="reason" required minLength={3} maxLength={1000} />
          </OwnForm>
        )
      }
    ]}
  />
)
