import type { DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import type { AccountsOverview } from '../schemas.ts'
import { minuteOf, SessionForm, type FormProps } from './forms.tsx'
import { EntryFacts, type EntryGames } from './organisations.tsx'

type Overview = DataOf<typeof AccountsOverview>
type Props = Readonly<{ of: Overview; token: string }>

const nameOf = (people: Overview['people'], person: string): string =>
  people.find(({ id }) => id === person)?.username ?? person

const Change = ({ change, ...form }: FormProps & Readonly<{ change: string }>): VNode => (
  <SessionForm {...form}>
    <input type="hidden" name="change" value={change} />
  </SessionForm>
)

/** All people. `you` is the username of the admin who reads the table: nobody acts on themselves. */
export const PeopleTable = ({ of: { people }, you, token }: Props & Readonly<{ you: string }>): VNode => (
  <Table
    caption={`People by name: ${people.length}`}
    rows={people}
    columns={[
      { head: 'Username', cell: ({ username }) => username },
      { head: 'Roles', cell: ({ roles }) => roles.join(', ') || 'none' },
      { head: 'Since', cell: ({ created_at: at }) => at.slice(0, 10) },
      {
        head: 'State',
        cell: ({ suspended_at: at }) => (at === null ? 'may sign in' : `suspended on ${at.slice(0, 10)}`)
      },
      {
        head: '',
        cell: ({ username, suspended_at: at }) =>
          username !== you && (
            <Change
              action={`/account/operator/people/${username}/suspension`}
              token={token}
              change={at === null ? 'suspend' : 'resume'}
              button={at === null ? 'Suspend' : 'End the suspension'}
              about={username}
              harms={at === null}
            />
          )
      },
      {
        head: '',
        cell: ({ username, roles }) =>
          username !== you && (
            <Change
              action={`/account/operator/people/${username}/role`}
              token={token}
              change={roles.includes('admin') ? 'take' : 'give'}
              button={roles.includes('admin') ? 'Take the role' : 'Make admin'}
              about={username}
              harms
            />
          )
      }
    ]}
  />
)

export const KeyTable = ({ of: { people, keys, tiers }, token }: Props): VNode => (
  <Table
    caption={`Keys, the newest first: ${keys.length}`}
    rows={keys}
    none="No keys yet."
    columns={[
      {
        head: 'Name',
        cell: ({ name, contact }) => (
          <>
            {name}
            <br />
            <small>{contact}</small>
          </>
        )
      },
      { head: 'Kind', cell: ({ kind }) => kind },
      { head: 'Whose', cell: ({ person }) => people.find(({ id }) => id === person)?.username ?? "the operator's own" },
      { head: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
      { head: 'Last used', cell: ({ last_used_on: day }) => day ?? 'never' },
      { head: 'State', cell: ({ revoked_at: at }) => (at === null ? 'active' : `revoked on ${at.slice(0, 10)}`) },
      {
        head: 'Tier',
        cell: ({ id, name, tier, revoked_at: at }) =>
          at !== null ? (
            tier
          ) : (
            <SessionForm
              action={`/account/operator/keys/${id}/tier`}
              token={token}
              button="Set"
              about={`the tier of ${name}`}
            >
              <label for={`tier-${id}`}>Tier</label>
              <select id={`tier-${id}`} name="tier">
                {tiers.map(one => (
                  <option selected={one === tier}>{one}</option>
                ))}
              </select>
            </SessionForm>
          )
      },
      {
        head: '',
        cell: ({ id, name, kind, scopes, revoked_at: at }) =>
          at === null && (
            <>
              {kind === 'agent' && (
                <Change
                  action={`/account/operator/keys/${id}/hunt`}
                  token={token}
                  change={scopes.includes('hunt') ? 'take' : 'give'}
                  button={scopes.includes('hunt') ? 'Stop its hunting' : 'Allow hunting'}
                  about={name}
                />
              )}
              <SessionForm
                action={`/account/operator/keys/${id}/revoke`}
                token={token}
                button="Revoke"
                about={name}
                harms
              />
            </>
          )
      }
    ]}
  />
)

export const ActTable = ({ of: { acts, people } }: Readonly<{ of: Overview }>): VNode => (
  <Table
    caption="The last acts, the newest first"
    rows={acts}
    none="Nothing has been done yet."
    columns={[
      { head: 'When', cell: ({ at }) => minuteOf(at) },
      { head: 'Who', cell: ({ actor }) => nameOf(people, actor) },
      { head: 'What', cell: ({ act }) => act },
      { head: 'To', cell: ({ subject }) => nameOf(people, subject) },
      {
        head: 'More',
        cell: ({ details }) =>
          Object.entries(details)
            .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
            .join('; ')
      }
    ]}
  />
)

/**
 * The entries of collectives. `you` is the username of the admin who reads the table: nobody approves their own entry.
 */
export const OrganisationTable = ({
  of: { organisations, people },
  games,
  you,
  token
}: Props & Readonly<{ games: EntryGames; you: string }>): VNode => (
  <Table
    caption="Entries of the directory, those that wait first"
    rows={organisations}
    none="No entries yet."
    columns={[
      {
        head: 'Entry',
        cell: entry => (
          <>
            <strong>{entry.display_name}</strong> (<code>{entry.slug}</code>)<EntryFacts of={entry} games={games} />
          </>
        )
      },
      { head: 'By', cell: ({ person }) => nameOf(people, person) },
      { head: 'State', cell: ({ approved_at: at }) => (at === null ? 'waiting' : `approved on ${at.slice(0, 10)}`) },
      {
        head: '',
        cell: ({ slug, display_name: name, person, approved_at: at, version }) => (
          <>
            {at === null && nameOf(people, person) !== you && (
              <SessionForm
                action={`/account/operator/organisations/${slug}/approve`}
                token={token}
                button="Approve"
                about={name}
              >
                <input type="hidden" name="version" value={version} />
              </SessionForm>
            )}
            <SessionForm
              action={`/account/operator/organisations/${slug}/remove`}
              token={token}
              button="Remove"
              about={name}
              harms
            >
              <label for={`reason-${slug}`}>Reason</label>
              <input type="text" id={`reason-${slug}`} name="reason" required minLength={3} maxLength={300} />
            </SessionForm>
          </>
        )
      }
    ]}
  />
)
