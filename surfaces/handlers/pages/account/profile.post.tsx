import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../accounts/page/forms.tsx'
import { Done } from '../../../accounts/schemas.ts'
import { orNull, words } from '../../../collectors/page/fields.ts'

export default definePage({
  form: {
    fields: Type.Object(
      {
        languages: Type.String({ maxLength: 400 }),
        region: Type.String({ maxLength: 2 }),
        cadence: Type.String({ maxLength: 20 })
      },
      { additionalProperties: false }
    ),
    limitBytes: 2048,
    reply: Done,
    toBody: ({ languages, region, cadence }) => ({
      languages: words(languages),
      region: orNull(region.toUpperCase()),
      cadence: orNull(cadence)
    })
  },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'Your profile was not kept', main: <Refused reason={reason} back="/account/profile" /> }
      : { seeOther: '/account/profile' }
})
