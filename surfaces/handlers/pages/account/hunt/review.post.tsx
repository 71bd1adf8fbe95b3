import { definePage } from 'pantry/page'
import { Refused } from '../../../../accounts/page/forms.tsx'
import { Done } from '../../../../accounts/schemas.ts'
import { ReviewRequest } from '../../../../coverage/hunt/submission.ts'

export default definePage({
  form: { fields: ReviewRequest, limitBytes: 8192, reply: Done, toBody: fields => fields },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'Review a case', main: <Refused reason={reason} back="/account/hunt" /> }
      : { seeOther: '/account/hunt' }
})
