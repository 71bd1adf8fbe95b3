import type { ComponentChildren, VNode } from 'pantry/page'

type FormProps = Readonly<{
  action: string
  token: string
  button: string
  children?: ComponentChildren
  about?: string
  /** Whether the form uploads a file. */
  hasFile?: boolean
}>

/**
 * A form of a signed-in person, with the token of their session against forged requests. `about` is added to the
 * accessible name of the button, which begins with its visible text (WCAG 2.2, 2.5.3).
 */
export const OwnForm = ({ action, token, button, about, hasFile, children }: FormProps): VNode => (
  <form method="post" action={action} class="own" {...(hasFile === true ? { enctype: 'multipart/form-data' } : {})}>
    {token !== '' && <input type="hidden" name="token" value={token} />}
    {children}
    <button type="submit" {...(about === undefined ? {} : { 'aria-label': `${button}: ${about}` })}>
      {button}
    </button>
  </form>
)

/** The field for a one-time code. */
export const CodeField = ({ hint }: Readonly<{ hint: string }>): VNode => (
  <>
    <label for="code">One-time code</label>
    <input
      type="text"
      id="code"
      name="code"
      required
      maxLength={40}
      autocomplete="one-time-code"
      autocapitalize="characters"
      spellcheck={false}
      aria-describedby="code-hint"
    />
    <small id="code-hint">{hint}</small>
  </>
)

/** The form for a mailed code, with the id of the request that the code belongs to. */
export const MailedCodeForm = ({
  action,
  token,
  request,
  button
}: Readonly<{ action: string; token: string; request: string; button: string }>): VNode => (
  <OwnForm action={action} token={token} button={button}>
    <input type="hidden" name="request" value={request} />
    <CodeField hint="Ten letters and digits from the mail. They work on this page, for 15 minutes." />
  </OwnForm>
)

/** The form that requests a code by mail, if the service sends mail. */
export const MailForm = ({ token }: Readonly<{ token: string }>): VNode => (
  <OwnForm action="/account/sign-in/mail" token={token} button="Mail me a code">
    <label for="mail-username">Username</label>
    <input
      type="text"
      id="mail-username"
      name="username"
      required
      maxLength={80}
      autocomplete="username"
      autocapitalize="none"
      spellcheck={false}
      aria-describedby="mail-hint"
    />
    <small id="mail-hint">It goes to the address that you confirmed.</small>
  </OwnForm>
)

type SignInProps = Readonly<{ token: string; username?: string | undefined; refused?: string | undefined }>

/** The form to sign in with a username and a one-time code. */
export const SignInForm = ({ token, username, refused }: SignInProps): VNode => (
  <>
    {refused !== undefined && (
      <p class="mistake" role="alert">
        <strong>{refused}</strong>
      </p>
    )}
    <OwnForm action="/account/sign-in" token={token} button="Sign in">
      <label for="username">Username</label>
      <input
        type="text"
        id="username"
        name="username"
        required
        maxLength={80}
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        value={username}
      />
      <CodeField hint="Ten letters and digits. Whoever runs this service gives you one; it works once, for 15 minutes." />
    </OwnForm>
  </>
)

/** A button that needs a script, and shows itself where the browser has passkeys. */
export const PasskeyButton = ({
  act,
  children
}: Readonly<{ act: 'make' | 'sign-in'; children: ComponentChildren }>): VNode => (
  <div hidden>
    <button type="button" data-passkey={act}>
      {children}
    </button>
    <p role="status"></p>
  </div>
)
