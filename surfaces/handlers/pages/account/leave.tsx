import { defineForm, definePage, Type } from 'pantry/page'
import { OwnForm } from '../../../people/page/forms.tsx'
import { Account } from '../../../people/schemas.ts'

export default definePage({
  shows: { account: Account },
  forms: {
    leave: defineForm({
      title: 'Leave',
      fields: Type.Object({ username: Type.String({ maxLength: 80 }) }, { additionalProperties: false }),
      then: '/'
    })
  },
  view: ({
    shown: {
      account: { username, is_fresh: isFresh }
    },
    formToken
  }) => ({
    title: 'Leave',
    main: (
      <>
        <p>
          Your username, your sessions, your keys and all that you agreed to are erased at once, and your keys are
          refused from then on. Nobody can bring them back.
        </p>
        {!isFresh && (
          <p class="note">
            This needs a sign-in that is less than ten minutes old. <a href="/account/sign-in">Sign in again</a>
          </p>
        )}
        <OwnForm action="/account/leave" token={formToken} button="Erase my account">
          <label for="username">To be sure, write your username: {username}</label>
          <input
            type="text"
            id="username"
            name="username"
            required
            maxLength={80}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </OwnForm>
        <p>
          <a href="/account">Stay</a>
        </p>
      </>
    )
  })
})
