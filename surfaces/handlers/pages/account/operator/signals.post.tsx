import { definePage } from 'pantry/page'
import { Refused } from '../../../../accounts/page/forms.tsx'
import { Done } from '../../../../accounts/schemas.ts'
import { SignalRequest } from '../../../../market/operating.ts'

export default definePage({
  form: { fields: SignalRequest, limitBytes: 8192, reply: Done, toBody: fields => fields },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'A signal of fraud', main: <Refused reason={reason} back="/account/operator" /> }
      : { seeOther: '/account/operator' }
})
