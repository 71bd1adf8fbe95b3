import type { DataOf } from 'pantry/data'
import type { VNode } from 'pantry/page'
import type { Ways } from '../schemas.ts'
import { MailForm, PasskeyButton, SignInForm } from './forms.tsx'

/** All ways to sign in that the service offers. */
export const SignInWays = ({
  token,
  ways
}: Readonly<{ token: string; ways: DataOf<typeof Ways> | undefined }>): VNode => (
  <>
    <PasskeyButton act="sign-in">Sign in with a passkey</PasskeyButton>
    {ways?.mail === true && (
      <>
        <h2>With a code by mail</h2>
        <MailForm token={token} />
      </>
    )}
    {ways?.mail === true && <h2>With a code of the operator</h2>}
    <SignInForm token={token} />
    {ways !== undefined && ways.sign_up !== 'closed' && (
      <p>
        <a href="/account/sign-up">Make an account</a>
      </p>
    )}
  </>
)
