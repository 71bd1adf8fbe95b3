import type { DataOf } from 'pantry/data'
import type { Beside, PageContent, VNode } from 'pantry/page'
import type { Ways } from '../schemas.ts'
import { leadingTo, NextField } from './next.tsx'
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

type WaysProps = Readonly<{ token: string; ways: DataOf<typeof Ways> | undefined; next?: string | undefined }>

/** The ways to sign in. `next`: the path to go on to; default: the account. */
export const SignInWays = ({ token, ways, next }: WaysProps): VNode => (
  <>
    <PasskeyButton act="sign-in">Sign in with a passkey</PasskeyButton>
    {ways?.mail === true && (
      <>
        <h2>With a code by mail</h2>
        <MailForm token={token} next={next} />
      </>
    )}
    {ways?.mail === true && <h2>With a code of the operator</h2>}
    <SignInForm token={token} next={next} />
    {ways !== undefined && ways.sign_up !== 'closed' && (
      <p>
        <a href={leadingTo('/account/sign-up', next)}>Make an account</a>
      </p>
    )}
  </>
)

type Refused = Readonly<{
  /** The name under `besides` of what refused, and its answer. */
  by: string
  answer: Beside
  ways: Beside<DataOf<typeof Ways>>
  token: string
  /** The path of the page with its query, to which signing in leads back. */
  next: string
}>

/** A page for members that was asked for without a session: it has the ways to sign in, which lead back to it. */
export const signInFirst = ({ by, answer: { status, reason }, ways, token, next }: Refused): PageContent => ({
  title: 'Sign in',
  refusedBy: by,
  scripts: ['passkey.js'],
  main: (
    <>
      {status === 401 ? (
        <>
          <p>This page is for people with an account. After you sign in, you are on it again.</p>
          <SignInWays token={token} ways={ways.data} next={next} />
        </>
      ) : (
        <p>{reason}</p>
      )}
      <p>
        <small>
          Status {status}. <a href="/">The first page of the service</a>
        </small>
      </p>
    </>
  )
})

/** Returns a path with what its query asks for. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`
  )
  return asked.length === 0 ? path : `${path}?${asked.join('&')}`
}

type SignUpProps = Readonly<{ token: string; isByInvitation: boolean; next?: string | undefined }>

export const SignUpForm = ({ token, isByInvitation, next }: SignUpProps): VNode => (
  <>
    <p>
      You need no account to look at anything here. For one, type your mail address: a code goes to it, and nothing else
      ever does.
    </p>
    <SessionForm action="/account/sign-up" token={token} button="Mail me a code">
      <NextField to={next} />
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
      <a href={leadingTo('/account/sign-in', next)}>Sign in</a> if you have an account.
    </p>
  </>
)

type ConfirmProps = Readonly<{
  token: string
  request: string
  termsVersion: string
  invitation?: string | undefined
  next?: string | undefined
}>

export const ConfirmForm = ({ token, request, termsVersion, invitation, next }: ConfirmProps): VNode => (
  <SessionForm action="/account/sign-up/confirm" token={token} button="Make the account">
    <NextField to={next} />
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
    />
    <label>
      <input type="checkbox" name="terms_version" value={termsVersion} required /> I agree to the{' '}
      <a href="/terms">terms of {termsVersion}</a>, and have read <a href="/privacy">what is kept</a>.
    </label>
  </SessionForm>
)
