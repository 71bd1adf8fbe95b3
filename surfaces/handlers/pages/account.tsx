import { definePage } from 'pantry/page'
import { AccountView } from '../../accounts/page/account.tsx'
import { PasskeyButton, SignInForm } from '../../accounts/page/forms.tsx'
import { Account } from '../../accounts/schemas.ts'

export default definePage({
  besides: { account: Account },
  view: ({ beside: { account: { data: account } }, formToken }) => account === undefined
    ? { title: 'Sign in', scripts: ['passkey.js'], main: <><p>You need no account to look at anything here. With one you can give keys to your agents, and say what of yours may be public.</p><PasskeyButton act="sign-in">Sign in with a passkey</PasskeyButton><SignInForm token={formToken} /></> }
    : { title: 'Your account', scripts: ['passkey.js'], main: <AccountView account={account} token={formToken} /> }
})
