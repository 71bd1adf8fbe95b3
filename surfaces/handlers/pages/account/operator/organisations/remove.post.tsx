import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../../../accounts/page/forms.tsx'
import { Done } from '../../../../../accounts/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object({ reason: Type.String({ maxLength: 300 }) }, { additionalProperties: false }),
    limitBytes: 1024,
    reply: Done,
    toBody: ({ reason }) => ({ reason })
  },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'An entry of the directory', main: <Refused reason={reason} back="/account/operator" /> }
      : { seeOther: '/account/operator' }
})
