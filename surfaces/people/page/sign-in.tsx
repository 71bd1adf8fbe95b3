import type { DataOf } from 'pantry/data'
import type { VNode } from 'pantry/page'
import type { Ways } from '../schemas.ts'
import {
  CodeField,
  Field,
  MailField,
  MailForm,
  SessionForm,
  PasskeyButton,
  SignInForm,
  usernameAttributes
} from './forms.tsx'

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

export const SignUpForm = ({ token, isByInvitation }: Readonly<{ token: string; isByInvitation: boolean }>): VNode => (
  <>
    <p>
      You need no account to look at anything here. For one, type your mail address: a code goes to it, and nothing else
      ever does.
    </p>
    <SessionForm action="/account/sign-up" token={token} button="Mail me a code">
      <MailField />
      {isByInvitation && (
        <Field
          name="invitation"
          label="Invitation"
          required
          maxLength={80}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
      )}
    </SessionForm>
    <p>
      <a href="/account/sign-in">Sign in</a> if you have an account.
    </p>
  </>
)

type ConfirmProps = Readonly<{
  token: string
  request: string
  termsVersion: string
  username?: string | undefined
  invitation?: string | undefined
}>

export const ConfirmForm = ({ token, request, termsVersion, username, invitation }: ConfirmProps): VNode => (
  <SessionForm action="/account/sign-up/confirm" token={token} button="Make the account">
    <input type="hidden" name="request" value={request} />
    {invitation !== undefined && <input type="hidden" name="invitation" value={invitation} />}
    <CodeField hint="Ten letters and digits from the mail. They work here, for 15 minutes." />
    <Field
      name="username"
      label="Username"
      hint="3 to 30 letters a to z, digits and single hyphens, with a letter first."
      required
      minLength={3}
      maxLength={30}
      {...usernameAttributes}
      value={username}
    />
    <label>
      <input type="checkbox" name="terms_version" value={termsVersion} required /> I agree to the{' '}
      <a href="/terms">terms of {termsVersion}</a>, and have read <a href="/privacy">what is kept</a>.
    </label>
  </SessionForm>
)
