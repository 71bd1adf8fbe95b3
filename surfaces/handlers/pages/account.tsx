import { definePage } from 'pantry/page'
import { accountForms, AccountView } from '../../people/page/account.tsx'
import { SignInWays } from '../../people/page/sign-in.tsx'
import { Account, Ways } from '../../people/schemas.ts'

export default definePage({
  besides: { account: Account, ways: Ways },
  forms: accountForms,
  view: ({
    beside: {
      account: { data: account },
      ways: { data: ways }
    },
    formToken
  }) =>
    account === undefined
      ? {
          title: 'Sign in',
          scripts: ['passkey.js'],
          main: (
            <>
              <p>
                You need no account to look at anything here. With one you can give keys to your agents, and say what of
                yours may be public.
              </p>
              <SignInWays token={formToken} ways={ways} />
            </>
          )
        }
      : {
          title: 'Your account',
          scripts: ['passkey.js'],
          main: <AccountView account={account} token={formToken} hasMail={ways?.mail === true} />
        }
})
