import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../accounts/page/forms.tsx'
import { Done } from '../../../accounts/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object({ username: Type.String({ maxLength: 80 }) }, { additionalProperties: false }),
    limitBytes: 512,
    reply: Done,
    toBody: ({ username }) => ({ username })
  },
  view: ({ sent: { data, reason } }) =>
    data === undefined ? { title: 'Leave', main: <Refused reason={reason} back="/account/leave" /> } : { seeOther: '/' }
})
