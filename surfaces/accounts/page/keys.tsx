import type { DataOf } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import type { OwnKey } from '../keys.ts'
import { OwnForm } from './forms.tsx'

type ShownKey = DataOf<typeof OwnKey>

const stateOf = ({ revoked_at: revoked, expires_at: ends }: ShownKey): string =>
  revoked !== null ? `revoked on ${revoked.slice(0, 10)}` : ends === null ? 'holds' : `holds until ${ends.slice(0, 10)}`

/** The keys of a person, each with a button to revoke it. */
export const KeyTable = ({ keys, token }: Readonly<{ keys: readonly ShownKey[]; token: string }>): VNode => (
  <Table
    caption="Your keys, the newest first"
    rows={keys}
    none="You have no key."
    columns={[
      {
        head: 'Key',
        cell: ({ name, contact, tier, scopes }) => (
          <>
            {name}
            <br />
            <small>
              {contact}; {tier}, {scopes.join(' and ')}
            </small>
          </>
        )
      },
      {
        head: 'Last used',
        cell: key => (
          <>
            <p>
              {key.last_used_on ?? 'never'}
              <br />
              <small>{stateOf(key)}</small>
            </p>
            {key.revoked_at === null && (
              <OwnForm action={`/account/agents/${key.id}/revoke`} token={token} button="Revoke" about={key.name} />
            )}
          </>
        )
      }
    ]}
  />
)

/** The form that creates a key. */
export const KeyForm = ({ token }: Readonly<{ token: string }>): VNode => (
  <OwnForm action="/account/agents" token={token} button="Make a key">
    <label for="name">What it is for</label>
    <input type="text" id="name" name="name" required maxLength={80} />
    <label for="contact">Whom to ask about it</label>
    <input type="text" id="contact" name="contact" required minLength={3} maxLength={200} autocomplete="email" />
    <label for="days">Days until it ends</label>
    <input id="days" name="days" type="number" min={1} max={365} aria-describedby="days-hint" />
    <small id="days-hint">Leave it empty for a key without an end.</small>
  </OwnForm>
)
