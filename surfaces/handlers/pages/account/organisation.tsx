import { closed } from 'pantry/data'
import { defineForm, definePage, Type } from 'pantry/page'
import { languageTags } from '../../../common/chosen-names.ts'
import { GameNames } from '../../../pages/schemas.ts'
import { SessionForm } from '../../../people/page/forms.tsx'
import { OrganisationForm, orNull } from '../../../people/page/organisations.tsx'
import { Account } from '../../../people/schemas.ts'

const save = defineForm({
  title: 'The entry was not saved',
  done: 'The entry is saved.',
  fields: closed({
    slug: Type.String({ maxLength: 80 }),
    display_name: Type.String({ maxLength: 120 }),
    kind: Type.String({ maxLength: 40 }),
    description: Type.String({ maxLength: 500 }),
    region: Type.Optional(Type.String({ maxLength: 20 })),
    languages: Type.Optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 10 })),
    games: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 100 })),
    website_url: Type.Optional(Type.String({ maxLength: 300 })),
    public_contact_url: Type.Optional(Type.String({ maxLength: 300 })),
    accessibility_notes: Type.Optional(Type.String({ maxLength: 500 }))
  }),
  toBody: ({
    region = '',
    languages = [],
    games = [],
    website_url: site = '',
    public_contact_url: contact = '',
    accessibility_notes: notes = '',
    ...form
  }) => ({
    ...form,
    region: orNull(region),
    languages: languageTags('languages', languages),
    games,
    website_url: orNull(site),
    public_contact_url: orNull(contact),
    accessibility_notes: orNull(notes)
  })
})

export default definePage({
  shows: { account: Account, games: GameNames },
  forms: { save, remove: defineForm({ title: 'The entry was not taken away', done: 'The entry is taken away.' }) },
  view: ({
    shown: {
      account: { organisation, publications },
      games: { games }
    },
    formToken
  }) => {
    const isAgreed = publications.some(({ scope, is_public: isPublic }) => scope === 'organisation' && isPublic)
    return {
      title: 'Your collective',
      main: (
        <>
          <p>
            A club, shop or other collective that you speak for can be listed in the{' '}
            <a href="/organisations">directory of collectives</a>, as you describe it. Nobody checks what you write.
          </p>
          {organisation !== null && (
            <p role="status">
              {organisation.approved_at === null
                ? 'The entry waits for the operator, who approves that it is shown.'
                : isAgreed
                  ? 'The entry is listed.'
                  : 'The entry is approved, and not listed.'}
              {!isAgreed && (
                <>
                  {' '}
                  It is shown only with your receipt: agree to it <a href="/account">under your account</a>.
                </>
              )}
            </p>
          )}
          <OrganisationForm token={formToken} entry={organisation} games={games} />
          {organisation !== null && (
            <SessionForm action="/account/organisation/remove" token={formToken} button="Take the entry away" harms />
          )}
          <p>
            <a href="/account">Your account</a>
          </p>
        </>
      )
    }
  }
})
