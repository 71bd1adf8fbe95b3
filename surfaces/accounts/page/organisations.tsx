import type { DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import { EntryFacts } from '../../collectors/page/directory.tsx'
import type { AccountsOverview } from '../schemas.ts'
import { OwnForm } from './forms.tsx'

type Overview = DataOf<typeof AccountsOverview>

/**
 * The entries of the organisation directory, unapproved ones first, with the operator's actions; nobody approves their
 * own. `you` is the username of the operator.
 */
export const OrganisationTable = ({
  of: { organisations, people },
  you,
  token
}: Readonly<{ of: Overview; you: string; token: string }>): VNode => {
  const nameOf = (person: string): string => people.find(({ id }) => id === person)?.username ?? person
  return (
    <Table
      caption="Entries of the directory, those that wait first"
      rows={organisations}
      none="Nobody has written one."
      columns={[
        {
          head: 'Entry',
          cell: entry => (
            <>
              <strong>{entry.display_name}</strong> (<code>{entry.slug}</code>)<EntryFacts of={entry} />
            </>
          )
        },
        { head: 'By', cell: ({ person }) => nameOf(person) },
        { head: 'State', cell: ({ approved_at: at }) => (at === null ? 'waits' : `approved on ${at.slice(0, 10)}`) },
        {
          head: '',
          cell: ({ slug, display_name: name, person, approved_at: at, version }) => (
            <>
              {at === null && nameOf(person) !== you && (
                <OwnForm
                  action={`/account/operator/organisations/${slug}/approve`}
                  token={token}
                  button="Approve"
                  about={name}
                >
                  <input type="hidden" name="version" value={version} />
                </OwnForm>
              )}
              <OwnForm
                action={`/account/operator/organisations/${slug}/remove`}
                token={token}
                button="Remove"
                about={name}
              >
                <label for={`reason-${slug}`}>Reason</label>
                <input type="text" id={`reason-${slug}`} name="reason" required minLength={3} maxLength={300} />
              </OwnForm>
            </>
          )
        }
      ]}
    />
  )
}
