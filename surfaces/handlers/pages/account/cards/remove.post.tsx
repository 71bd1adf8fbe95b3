import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../../accounts/page/forms.tsx'
import { Done } from '../../../../accounts/schemas.ts'
import { listNames } from '../../../../collectors/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object(
      { list: Type.Enum(listNames), sku: Type.String({ maxLength: 160 }) },
      { additionalProperties: false }
    ),
    limitBytes: 1024,
    reply: Done,
    toBody: ({ list, sku }) => ({ list, sku })
  },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'Nothing was taken off', main: <Refused reason={reason} back="/account/cards" /> }
      : { seeOther: '/account/cards' }
})
