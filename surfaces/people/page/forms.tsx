import type { ComponentChildren, VNode } from 'pantry/page'
import { countryName, countryNames, languageNames, writtenLanguage } from '../../common/chosen-names.ts'
import { grounds, type Reportable } from '../schemas.ts'
import { leadingTo, NextField } from './next.tsx'

/** Formats a time without its seconds: `2026-11-27 22:18 UTC`. The time must be in ISO 8601 and UTC. */
export const minuteOf = (moment: string): string => `${moment.slice(0, 16).replace('T', ' ')} UTC`

export type FormProps = Readonly<{
  action: string
  token: string
  button: string
  children?: ComponentChildren
  about?: string
  hasFile?: boolean
  /** Whether sending it harms somebody or cannot be undone, so that its button looks different. */
  harms?: boolean
}>

/** What a form is about, in words that its second step shows. */
export const AboutField = ({ of: about }: Readonly<{ of: string }>): VNode => (
  <input type="hidden" name="about" value={about.slice(0, 300)} />
)

/**
 * A form whose token guards against forged requests. `about` is added to the accessible name of the button, which
 * begins with its visible text (WCAG 2.2, 2.5.3), and named by the second step of what harms.
 */
export const SessionForm = ({ action, token, button, about, hasFile, harms, children }: FormProps): VNode => (
  <form
    method="post"
    action={action}
    class={harms === true ? 'own harm' : 'own'}
    {...(hasFile === true ? { enctype: 'multipart/form-data' } : {})}
  >
    {token !== '' && <input type="hidden" name="token" value={token} />}
    {harms === true && about !== undefined && <AboutField of={about} />}
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
  list?: string
  value?: string | undefined
  'aria-describedby'?: string
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

/** Fields for up to ten languages, by name: one more than there are, and at least three. */
export const LanguageFields = ({ legend, of }: Readonly<{ legend: string; of: readonly string[] }>): VNode => (
  <fieldset>
    <legend>{legend}</legend>
    {Array.from({ length: Math.min(10, Math.max(3, of.length + 1)) }, (_, place) => (
      <Field
        id={`language-${place + 1}`}
        name="languages"
        label={`Language ${place + 1}`}
        list="language-names"
        maxLength={60}
        autocomplete="off"
        value={of[place] === undefined ? undefined : writtenLanguage(of[place])}
      />
    ))}
    <datalist id="language-names">
      {[...languageNames.values()].map(name => (
        <option value={name}></option>
      ))}
    </datalist>
  </fieldset>
)

export const CountryField = ({ of, none }: Readonly<{ of: string | null; none: string }>): VNode => (
  <>
    <label for="region">Country or territory</label>
    <select id="region" name="region" autocomplete="country">
      <option value="">{none}</option>
      {of !== null && !countryNames.has(of) && (
        <option value={of} selected>
          {countryName(of)}
        </option>
      )}
      {[...countryNames].map(([code, name]) => (
        <option value={code} selected={code === of}>
          {name}
        </option>
      ))}
    </select>
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

type MailedCodeProps = FormProps & Readonly<{ request: string; next?: string | undefined }>

export const MailedCodeForm = ({ request, next, ...form }: MailedCodeProps): VNode => (
  <SessionForm {...form}>
    <NextField to={next} />
    <input type="hidden" name="request" value={request} />
    <CodeField hint="Ten letters and digits from the mail. They work on this page, for 15 minutes." />
  </SessionForm>
)

export const MailForm = ({ token, next }: Readonly<{ token: string; next?: string | undefined }>): VNode => (
  <SessionForm action="/account/sign-in/mail" token={token} button="Mail me a code">
    <NextField to={next} />
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

export const SignInForm = ({ token, next }: Readonly<{ token: string; next?: string | undefined }>): VNode => (
  <SessionForm action="/account/sign-in" token={token} button="Sign in">
    <NextField to={next} />
    <Field name="username" label="Username" required maxLength={80} {...usernameAttributes} />
    <CodeField hint="Ten letters and digits. Whoever runs this service gives you one; it works once, for 15 minutes." />
  </SessionForm>
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

export const reportableNames: Readonly<Record<Reportable, string>> = {
  listing: 'listing',
  organisation: 'collective',
  review: 'review'
}

/** `at`: the page that shows it, to which signing in leads back. */
type Props = Readonly<{ kind: Reportable; of: string; token: string; what: string; at: string }>

/**
 * A form that is collapsed until it is opened, without a script; for a visitor without a session, a link to sign in.
 */
export const ReportForm = ({ kind, of, token, what, at }: Props): VNode =>
  token === '' ? (
    <p>
      <small>
        <a href={leadingTo('/account/sign-in', at)}>Sign in</a> to report {what}.
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
