import type { VNode } from 'pantry/page'
import { OwnForm } from '../../accounts/page/forms.tsx'
import { grounds, type Reportable } from '../schemas.ts'

const named: Readonly<Record<(typeof grounds)[number], string>> = {
  fraud: 'It deceives',
  offensive: 'It insults or threatens',
  'personal-data': 'It says who somebody is',
  rights: 'It takes the work of others',
  other: 'Something else'
}

type Props = Readonly<{ kind: Reportable; of: string; token: string; what: string }>

/**
 * The form that reports the content of somebody else, for signed-in people; collapsed until it is opened, without a
 * script.
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
