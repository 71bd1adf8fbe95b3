import type { ComponentChildren, VNode } from 'pantry/page'
import { grounds, type Reportable } from '../schemas.ts'

/** In UTC. */
export const minuteOf = (moment: string): string => `${moment.slice(0, 16).replace('T', ' ')} UTC`

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
 * The token guards against forged requests. `about` is added to the accessible name of the button, which begins with
 * its visible text (WCAG 2.2, 2.5.3).
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

/** Needs a script, and shows itself where the browser has passkeys. */
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

const named: Readonly<Record<(typeof grounds)[number], string>> = {
  fraud: 'It deceives',
  offensive: 'It insults or threatens',
  'personal-data': 'It says who somebody is',
  rights: 'It takes the work of others',
  other: 'Something else'
}

type Props = Readonly<{ kind: Reportable; of: string; token: string; what: string }>

/** Collapsed until it is opened, without a script. */
export const ReportForm = ({ kind, of, token, what }: Props): VNode =>
  token === '' ? (
    <p>
      <small>
        <a href="/account/sign-in">Sign in</a> to report {what}.
      </small>
    </p>
  ) : (
    <details>
      <summary>Report {what}</summary>
      <OwnForm action="/account/reports" token={token} button="Report it" about={what}>
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="of" value={of} />
        <label for={`ground-${of}`}>What is wrong</label>
        <select id={`ground-${of}`} name="ground" required>
          {grounds.map(ground => (
            <option value={ground}>{named[ground]}</option>
          ))}
        </select>
        <label for={`report-${of}`}>In your words</label>
        <textarea
          id={`report-${of}`}
          name="text"
          required
          minLength={10}
          maxLength={1000}
          rows={3}
          aria-describedby={`hint-${of}`}
        ></textarea>
        <small id={`hint-${of}`}>Admins alone read it. Whoever you report is never told that it was you.</small>
      </OwnForm>
    </details>
  )
