import { closed } from 'pantry/data'
import { defineForm, definePage, Type } from 'pantry/page'
import { languageTags } from '../../../common/chosen-names.ts'
import { cadenceNames } from '../../../people/collector-schemas.ts'
import { CountryField, LanguageFields, SessionForm } from '../../../people/page/forms.tsx'
import { orNull } from '../../../people/page/organisations.tsx'
import { Account } from '../../../people/schemas.ts'

const save = defineForm({
  title: 'Your profile was not saved',
  done: 'Your profile is saved.',
  fields: closed({
    languages: Type.Optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 10 })),
    region: Type.String({ maxLength: 20 }),
    cadence: Type.String({ maxLength: 20 })
  }),
  toBody: ({ languages = [], region, cadence }) => ({
    languages: languageTags('languages', languages),
    region: orNull(region),
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
        <SessionForm action="/account/profile" token={formToken} button="Save">
          <LanguageFields legend="Languages that you read" of={languages} />
          <CountryField of={region} none="I would rather not say" />
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
