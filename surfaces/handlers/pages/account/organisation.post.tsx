import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../accounts/page/forms.tsx'
import { Done } from '../../../accounts/schemas.ts'
import { orNull, words } from '../../../collectors/page/fields.ts'

export default definePage({
  form: {
    fields: Type.Object(
      {
        slug: Type.String({ maxLength: 80 }),
        display_name: Type.String({ maxLength: 120 }),
        kind: Type.String({ maxLength: 40 }),
        description: Type.String({ maxLength: 500 }),
        region: Type.Optional(Type.String({ maxLength: 2 })),
        languages: Type.Optional(Type.String({ maxLength: 400 })),
        games: Type.Optional(Type.String({ maxLength: 400 })),
        website_url: Type.Optional(Type.String({ maxLength: 300 })),
        public_contact_url: Type.Optional(Type.String({ maxLength: 300 })),
        accessibility_notes: Type.Optional(Type.String({ maxLength: 500 }))
      },
      { additionalProperties: false }
    ),
    limitBytes: 16_384,
    reply: Done,
    toBody: ({
      slug,
      display_name: name,
      kind,
      description,
      region = '',
      languages = '',
      games = '',
      website_url: site = '',
      public_contact_url: contact = '',
      accessibility_notes: notes = ''
    }) => ({
      slug,
      display_name: name,
      kind,
      description,
      region: orNull(region.toUpperCase()),
      languages: words(languages),
      games: words(games),
      website_url: orNull(site),
      public_contact_url: orNull(contact),
      accessibility_notes: orNull(notes)
    })
  },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'The entry was not kept', main: <Refused reason={reason} back="/account/organisation" /> }
      : { seeOther: '/account/organisation' }
})
