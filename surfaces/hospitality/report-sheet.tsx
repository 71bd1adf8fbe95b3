import { Facts, type VNode } from 'pantry/page'
import { OwnForm } from '../accounts/page/forms.tsx'
import type { KeptReport } from './inbox.ts'

/** Shows a report with its reply, and forms to reply to it or delete it. */
export const ReportSheet = ({
  of: { id, report, received_at: at, reply, reply_may_be_public: mayBePublic },
  token
}: Readonly<{ of: KeptReport; token: string }>): VNode => (
  <section>
    <h2>
      {String(report['kind'])}, {at.slice(0, 16).replace('T', ' ')} UTC
    </h2>
    <Facts
      of={Object.fromEntries(
        Object.entries(report)
          .filter(([name]) => name !== 'kind')
          .map(([name, value]) => [name.replaceAll('_', ' '), String(value)])
      )}
    />
    <p>{mayBePublic ? 'The sender lets everyone read the reply.' : 'The reply is not public.'}</p>
    <OwnForm action={`/account/inbox/${id}/reply`} token={token} button="Reply">
      <label for={`reply-${id}`}>Reply</label>
      <textarea id={`reply-${id}`} name="reply" required maxLength={4000} rows={4}>
        {reply ?? ''}
      </textarea>
    </OwnForm>
    <OwnForm
      action={`/account/inbox/${id}/remove`}
      token={token}
      button="Delete"
      about={`the report of ${at.slice(0, 16)}`}
    />
  </section>
)
