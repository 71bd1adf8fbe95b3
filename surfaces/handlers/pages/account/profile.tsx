import { closed } from 'pantry/data'
import { defineForm, definePage, Type } from 'pantry/page'
import { cadenceNames } from '../../../people/collector-schemas.ts'
import { SessionForm } from '../../../people/page/forms.tsx'
import { orNull, words } from '../../../people/page/organisations.tsx'
import { Account } from '../../../people/schemas.ts'

const save = defineForm({
  title: 'Your profile was not kept',
  fields: closed({
    languages: Type.String({ maxLength: 400 }),
    region: Type.String({ maxLength: 2 }),
    cadence: Type.String({ maxLength: 20 })
  }),
  limitBytes: 2048,
  toBody: ({ languages, region, cadence }) => ({
    languages: words(languages),
    region: orNull(region.toUpperCase()),
    cadence: orNull(cadence)
  })
})

export default definePage({
  shows: { account: Account },
  forms: { save },
  view: ({
    shown: {
      account: {
        profile: { languages, region, cadence }
      }
    },
    formToken
  }) => ({
    title: 'Your profile',
    main: (
      <>
        <p>
          All of it is optional, and yours alone until you agree <a href="/account">under your account</a> to have it
          published.
        </p>
        <SessionForm action="/account/profile" token={formToken} button="Keep it">
          <label for="languages">Languages that you read</label>
          <input
            type="text"
            id="languages"
            name="languages"
            maxLength={400}
            value={languages.join(', ')}
            autocapitalize="none"
            spellcheck={false}
            aria-describedby="languages-hint"
          />
          <small id="languages-hint">
            Language tags with commas between them, such as <code>nl, en</code>.
          </small>
          <label for="region">Country or territory</label>
          <input
            type="text"
            id="region"
            name="region"
            maxLength={2}
            value={region ?? ''}
            autocomplete="country"
            aria-describedby="region-hint"
          />
          <small id="region-hint">
            Two letters, such as <code>NL</code>.
          </small>
          <label for="cadence">How soon you usually answer</label>
          <select id="cadence" name="cadence">
            <option value="" selected={cadence === null}>
              I would rather not say
            </option>
            {cadenceNames.map(name => (
              <option value={name} selected={cadence === name}>
                {name.replaceAll('-', ' ')}
              </option>
            ))}
          </select>
        </SessionForm>
        <p>
          <a href="/account">Your account</a>
        </p>
      </>
    )
  })
})
