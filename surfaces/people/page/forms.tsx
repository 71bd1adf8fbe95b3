import type { ComponentChildren, VNode } from 'pantry/page'
import { grounds, type Reportable } from '../schemas.ts'

/** Formats a time without its seconds: `2026-11-27 22:18 UTC`. The time must be in ISO 8601 and UTC. */
export const minuteOf = (moment: string): string => `${moment.slice(0, 16).replace('T', ' ')} UTC`

export type FormProps = Readonly<{
  action: string
  token: string
  button: string
  children?: ComponentChildren
  about?: string
  hasFile?: boolean
}>

/**
 * A form whose token guards against forged requests. `about` is added to the accessible name of the button, which
 * begins with its visible text (WCAG 2.2, 2.5.3).
 */
export const SessionForm = ({ action, token, button, about, hasFile, children }: FormProps): VNode => (
  <form method="post" action={action} class="own" {...(hasFile === true ? { enctype: 'multipart/form-data' } : {})}>
    {token !== '' && <input type="hidden" name="token" value={token} />}
    {children}
    <button type="submit" {...(about === undefined ? {} : { 'aria-label': `${button}: ${about}` })}>
      {button}
    </button>
  </form>
)

type FieldProps = Readonly<{
  name: string
  label: string
  inputMode?: 'decimal' | 'numeric' | undefined
  id?: string
  hint?: string
  required?: boolean | undefined
  minLength?: number
  maxLength?: number
  autocomplete?: string
  autocapitalize?: 'none' | 'characters'
  spellcheck?: boolean
  placeholder?: string
  value?: string | undefined
}>

/** A labelled text input. The other attributes are written in the order in which they are given. */
export const Field = ({ name, label, inputMode, id = name, hint, ...attributes }: FieldProps): VNode => (
  <>
    <label for={id}>{label}</label>
    <input
      type="text"
      inputMode={inputMode}
      id={id}
      name={name}
      {...attributes}
      {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
    />
    {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
  </>
)

export const MailField = (): VNode => (
  <>
    <label for="address">Mail address</label>
    <input type="email" id="address" name="address" required maxLength={254} autocomplete="email" />
  </>
)

export const usernameAttributes = { autocomplete: 'username', autocapitalize: 'none', spellcheck: false } as const

export const CodeField = ({ hint }: Readonly<{ hint: string }>): VNode => (
  <Field
    name="code"
    label="One-time code"
    hint={hint}
    required
    maxLength={40}
    autocomplete="one-time-code"
    autocapitalize="characters"
    spellcheck={false}
  />
)

export const MailedCodeForm = ({ request, ...form }: FormProps & Readonly<{ request: string }>): VNode => (
  <SessionForm {...form}>
    <input type="hidden" name="request" value={request} />
    <CodeField hint="Ten letters and digits from the mail. They work on this page, for 15 minutes." />
  </SessionForm>
)

export const MailForm = ({ token }: Readonly<{ token: string }>): VNode => (
  <SessionForm action="/account/sign-in/mail" token={token} button="Mail me a code">
    <label for="mail-username">Username</label>
    <input
      type="text"
      id="mail-username"
      name="username"
      required
      maxLength={80}
      {...usernameAttributes}
      aria-describedby="mail-hint"
    />
    <small id="mail-hint">It goes to the address that you confirmed.</small>
  </SessionForm>
)

type SignInProps = Readonly<{ token: string; username?: string | undefined; refused?: string | undefined }>

export const SignInForm = ({ token, username, refused }: SignInProps): VNode => (
  <>
    {refused !== undefined && (
      <p class="mistake" role="alert">
        <strong>{refused}</strong>
      </p>
    )}
    <SessionForm action="/account/sign-in" token={token} button="Sign in">
      <Field name="username" label="Username" required maxLength={80} {...usernameAttributes} value={username} />
      <CodeField hint="Ten letters and digits. Whoever runs this service gives you one; it works once, for 15 minutes." />
    </SessionForm>
  </>
)

/** A button that is hidden until a script shows it, in browsers that have passkeys. */
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

const groundNames: Readonly<Record<(typeof grounds)[number], string>> = {
  fraud: 'It deceives',
  offensive: 'It insults or threatens',
  'personal-data': 'It says who somebody is',
  rights: 'It takes the work of others',
  other: 'Something else'
}

type Props = Readonly<{ kind: Reportable; of: string; token: string; what: string }>

/**
 * A form that is collapsed until it is opened, without a script; for a visitor without a session, a link to sign in.
 */
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
      <SessionForm action="/account/reports" token={token} button="Report it" about={what}>
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="of" value={of} />
        <label for={`ground-${of}`}>What is wrong</label>
        <select id={`ground-${of}`} name="ground" required>
          {grounds.map(ground => (
            <option value={ground}>{groundNames[ground]}</option>
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
      </SessionForm>
    </details>
  )
