import { definePage } from 'pantry/page'
import { Refused } from '../../../../accounts/page/forms.tsx'
import { Done } from '../../../../accounts/schemas.ts'
import { ReplyRequest } from '../../../../hospitality/inbox.ts'

export default definePage({
  form: { fields: ReplyRequest, limitBytes: 20_480, reply: Done, toBody: fields => fields },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'Reply to a report', main: <Refused reason={reason} back="/account/inbox" /> }
      : { seeOther: '/account/inbox' }
})
