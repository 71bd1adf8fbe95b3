import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../../../accounts/page/forms.tsx'
import { Done } from '../../../../../accounts/schemas.ts'
import { EntryVersion } from '../../../../../collectors/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object({ version: EntryVersion }, { additionalProperties: false }),
    limitBytes: 512,
    reply: Done,
    toBody: fields => fields
  },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'An entry of the directory', main: <Refused reason={reason} back="/account/operator" /> }
      : { seeOther: '/account/operator' }
})
