import { definePage } from 'pantry/page'
import { Refused } from '../../../accounts/page/forms.tsx'
import { Done } from '../../../accounts/schemas.ts'
import { ReportRequest } from '../../../reports/schemas.ts'

export default definePage({
  form: { fields: ReportRequest, limitBytes: 8192, reply: Done, toBody: fields => fields },
  view: ({ sent: { data, reason } }) => ({
    title: 'Report something',
    main:
      data === undefined ? (
        <Refused reason={reason} back="/account" />
      ) : (
        <>
          <p role="status">{data.done}</p>
          <p>
            What came of it is told under <a href="/account#reports">your account</a>.
          </p>
        </>
      )
  })
})
