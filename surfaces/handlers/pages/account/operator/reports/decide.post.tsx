import { definePage } from 'pantry/page'
import { Refused } from '../../../../../accounts/page/forms.tsx'
import { Done } from '../../../../../accounts/schemas.ts'
import { ReportDecision } from '../../../../../reports/schemas.ts'

export default definePage({
  form: { fields: ReportDecision, limitBytes: 8192, reply: Done, toBody: fields => fields },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'A report', main: <Refused reason={reason} back="/account/operator" /> }
      : { seeOther: '/account/operator' }
})
