import { definePage } from 'pantry/page'
import { KeyForm, KeyTable } from '../../../accounts/page/keys.tsx'
import { Account } from '../../../accounts/schemas.ts'

export default definePage({
  shows: { account: Account },
  view: ({
    shown: {
      account: { keys, is_fresh: isFresh, limits }
    },
    formToken
  }) => ({
    title: 'Keys for agents',
    main: (
      <>
        <p>
          A key lets a program ask in your name, {limits.keys_per_minute['free']} times a minute. It reads what everyone
          may read, and no more of what is withheld. Only the operator can grant more.
        </p>
        <KeyTable keys={keys} token={formToken} />
        <h2>A new key</h2>
        {!isFresh && (
          <p class="note">
            This needs a sign-in that is less than ten minutes old. <a href="/account/sign-in">Sign in again</a>
          </p>
        )}
        <KeyForm token={formToken} />
        <p>
          <a href="/account">Your account</a>
        </p>
      </>
    )
  })
})
