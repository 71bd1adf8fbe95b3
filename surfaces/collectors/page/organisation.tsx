import type { DataOf } from 'pantry/data'
import type { VNode } from 'pantry/page'
import { OwnForm } from '../../accounts/page/forms.tsx'
import { organisationKinds, type OwnOrganisation } from '../schemas.ts'

type OwnEntry = DataOf<typeof OwnOrganisation> | null

const Field = ({
  name,
  label,
  value,
  most,
  required = false
}: Readonly<{ name: string; label: string; value: string | undefined; most: number; required?: boolean }>): VNode => (
  <>
    <label for={name}>{label}</label>
    <input type="text" id={name} name={name} maxLength={most} required={required} value={value} />
  </>
)

/** The form that creates or changes the entry of a collective. */
export const OrganisationForm = ({ token, entry }: Readonly<{ token: string; entry: OwnEntry }>): VNode => (
  <OwnForm action="/account/organisation" token={token} button="Keep the entry">
    <Field name="display_name" label="What it calls itself" value={entry?.display_name} most={120} required />
    <Field name="slug" label="Short name: letters a to z, digits and hyphens" value={entry?.slug} most={80} required />
    <label for="kind">What it is</label>
    <select id="kind" name="kind">
      {organisationKinds.map(kind => (
        <option value={kind} selected={entry?.kind === kind}>
          {kind.replaceAll('-', ' ')}
        </option>
      ))}
    </select>
    <label for="description">What it does</label>
    <textarea id="description" name="description" rows={4} required maxLength={500}>
      {entry?.description}
    </textarea>
    <Field name="region" label="Country or territory, in two letters" value={entry?.region ?? undefined} most={2} />
    <Field
      name="languages"
      label="Languages, as tags with commas between them"
      value={entry?.languages.join(', ')}
      most={400}
    />
    <Field name="games" label="Games, as tokens with commas between them" value={entry?.games.join(', ')} most={400} />
    <Field name="website_url" label="Website (https)" value={entry?.website_url ?? undefined} most={300} />
    <Field
      name="public_contact_url"
      label="Where everyone can reach it (https)"
      value={entry?.public_contact_url ?? undefined}
      most={300}
    />
    <Field
      name="accessibility_notes"
      label="What visitors with a disability should know"
      value={entry?.accessibility_notes ?? undefined}
      most={500}
    />
  </OwnForm>
)
