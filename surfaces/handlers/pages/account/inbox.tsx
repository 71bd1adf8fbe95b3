import { definePage } from 'pantry/page'
import { InboxShown } from '../../../hospitality/inbox.ts'
import { ReportSheet } from '../../../hospitality/report-sheet.tsx'

export default definePage({
  shows: { inbox: InboxShown },
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
