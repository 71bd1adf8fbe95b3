import { definePage } from 'pantry/page'
import { Refused } from '../../../../../accounts/page/forms.tsx'
import { Done } from '../../../../../accounts/schemas.ts'
import { Change } from '../../../../../accounts/schemas.ts'

export default definePage({
  form: { fields: Change, limitBytes: 512, reply: Done, toBody: fields => fields },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'A person', main: <Refused reason={reason} back="/account/operator" /> }
      : { seeOther: '/account/operator' }
})
