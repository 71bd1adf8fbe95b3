import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../accounts/page/forms.tsx'
import { Receipt } from '../../../accounts/receipts.ts'

export default definePage({
  form: {
    fields: Type.Object(
      { scope: Type.String({ maxLength: 40 }), notice_version: Type.String({ maxLength: 20 }) },
      { additionalProperties: false }
    ),
    limitBytes: 512,
    reply: Receipt,
    toBody: ({ scope, notice_version: version }) => ({ scope, notice_version: version })
  },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'Agree to a publication', main: <Refused reason={reason} back="/account" /> }
      : { seeOther: '/account' }
})
