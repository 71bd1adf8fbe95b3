import { defineForm, definePage } from 'pantry/page'
import { ReportSheet } from '../../../pages/desk.tsx'
import { InboxShown, ReplyRequest } from '../../../playful/inbox.ts'

export default definePage({
  shows: { inbox: InboxShown },
  forms: {
    reply: defineForm({ title: 'Reply to a report', fields: ReplyRequest, limitBytes: 20_480 }),
    remove: defineForm({ title: 'Delete a report' })
  },
  view: ({
    shown: {
      inbox: { reports }
    },
    formToken
  }) => ({
    title: 'Reports to answer',
    main: (
      <>
        <p class="lead">
          What people wrote to you, and let you keep. A reply is public only where its sender allowed it; a report never
          is.
        </p>
        {reports.length === 0 && <p>There is no report.</p>}
        {reports.map(report => (
          <ReportSheet of={report} token={formToken} />
        ))}
      </>
    )
  })
})
