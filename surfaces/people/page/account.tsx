import { closed, counted, type DataOf } from 'pantry/data'
import { defineForm, Facts, Table, Type, type VNode } from 'pantry/page'
import type { OwnKey } from '../keys.ts'
import { Asked, Done, ReportRequest, type Account } from '../schemas.ts'
import {
  Field,
  MailedCodeForm,
  ReportForm,
  reportableNames,
  MailField,
  minuteOf,
  SessionForm,
  PasskeyButton
} from './forms.tsx'

type Own = DataOf<typeof Account>
type Props = Readonly<{ account: Own; token: string }>

const Minute = ({ of }: Readonly<{ of: string }>): VNode => <time dateTime={of}>{minuteOf(of)}</time>

const Sessions = ({ account: { sessions }, token }: Props): VNode => (
  <Table
    caption="Browsers in which you are signed in"
    rows={sessions}
    columns={[
      {
        head: 'Signed in',
        cell: ({ signed_in_at: at, expires_at: ends }) => (
          <>
            <Minute of={at} />
            <br />
            <small>ends by {ends.slice(0, 10)}</small>
          </>
        )
      },
      {
        head: 'Last used',
        cell: ({ id, signed_in_at: at, last_used_on: day, is_this_one: isThis }) => (
          <>
            <p>{isThis ? 'now, here' : day}</p>
            {!isThis && (
              <SessionForm
                action={`/account/sessions/${id}/end`}
                token={token}
                button="End"
                about={`the session of ${at.slice(0, 16).replace('T', ' ')}`}
              />
            )}
          </>
        )
      }
    ]}
  />
)

const Passkeys = ({ account: { passkeys, is_fresh: isFresh }, token }: Props): VNode => (
  <>
    <Table
      caption="Your passkeys"
      rows={passkeys}
      none="You have no passkey."
      columns={[
        { head: 'Passkey', cell: ({ name }) => name },
        {
          head: 'Last used',
          cell: ({ id, name, last_used_on: day }) => (
            <>
              <p>{day ?? 'never'}</p>
              <SessionForm action={`/account/passkeys/${id}/remove`} token={token} button="Remove" about={name} harms />
            </>
          )
        }
      ]}
    />
    {isFresh ? (
      <PasskeyButton act="make">Add a passkey</PasskeyButton>
    ) : (
      <p class="note">
        To add one, <a href="/account/sign-in">sign in again</a> first: it needs a sign-in that is less than ten minutes
        old.
      </p>
    )}
  </>
)

const Publications = ({ account: { publications, notice_version: version }, token }: Props): VNode => (
  <Table
    caption="What of yours is public"
    rows={publications}
    columns={[
      {
        head: 'What',
        cell: ({ scope, meaning }) => (
          <>
            <strong>{scope.replaceAll('-', ' ')}</strong>
            <br />
            {meaning}
          </>
        )
      },
      {
        head: 'Public',
        cell: ({ scope, is_public: isPublic }) => (
          <>
            <p>{isPublic ? 'yes' : 'no'}</p>
            {isPublic ? (
              <SessionForm
                action={`/account/receipts/${scope}/withdraw`}
                token={token}
                button="Stop sharing"
                about={scope.replaceAll('-', ' ')}
                harms
              />
            ) : (
              <SessionForm action="/account/receipts" token={token} button="Share" about={scope.replaceAll('-', ' ')}>
                <input type="hidden" name="scope" value={scope} />
                <input type="hidden" name="notice_version" value={version} />
              </SessionForm>
            )}
          </>
        )
      }
    ]}
  />
)

const Reports = ({ account: { reports } }: Pick<Props, 'account'>): VNode => (
  <Table
    caption="What you reported, the newest first"
    rows={reports}
    columns={[
      {
        head: 'Reported',
        cell: ({ kind, text, reported_at: at }) => (
          <>
            a {reportableNames[kind]}: {text}
            <br />
            <small>
              <Minute of={at} />
            </small>
          </>
        )
      },
      {
        head: 'Decision',
        cell: ({ decision }) =>
          decision === null ? 'An admin has yet to read it' : decision === 'removed' ? 'It was removed' : 'It stays'
      }
    ]}
  />
)

const MailAddress = ({ account: { mail, is_fresh: isFresh }, token }: Props): VNode => (
  <>
    <p>
      {mail === null ? (
        'None is kept. With one, you can have codes mailed.'
      ) : (
        <>
          Codes go to <strong>{mail.address}</strong>, when you ask for one.
        </>
      )}
    </p>
    {isFresh ? (
      <>
        <SessionForm
          action="/account/mail"
          token={token}
          button={mail === null ? 'Add the address' : 'Change the address'}
        >
          <MailField />
        </SessionForm>
        {mail !== null && <SessionForm action="/account/mail/remove" token={token} button="Remove the address" />}
      </>
    ) : (
      <p class="note">
        To change it, <a href="/account/sign-in">sign in again</a> first.
      </p>
    )}
  </>
)

const links = [
  ['/account/cards', 'What you have, and what you look for'],
  ['/account/profile', 'What you say of yourself'],
  ['/account/organisation', 'The collective that you speak for'],
  ['/organisations', 'Collectives that are listed'],
  ['/bridge', 'What two collections have in common']
] as const

export const AccountView = ({ account, token, hasMail }: Props & Readonly<{ hasMail: boolean }>): VNode => {
  const holding = account.keys.filter(({ revoked_at: revoked }) => revoked === null).length
  return (
    <>
      <Facts
        of={{
          Username: account.username,
          Roles: account.roles.join(', ') || 'none',
          Since: account.since.slice(0, 10),
          'Signed in': minuteOf(account.signed_in_at)
        }}
      />
      <SessionForm action="/account/sign-out" token={token} button="Sign out" />
      <h2>Keys for agents</h2>
      <p>
        {holding === 0 ? 'You have none.' : `You have ${counted(holding, 'active key')}.`}{' '}
        <a href="/account/agents">Make and revoke keys</a>
      </p>
      <h2>Auctions</h2>
      <p>
        <a href="/account/auctions">What you sell, have won or bid on</a>
      </p>
      <h2>Passkeys</h2>
      <Passkeys account={account} token={token} />
      {(hasMail || account.mail !== null) && (
        <>
          <h2>Mail address</h2>
          <MailAddress account={account} token={token} />
        </>
      )}
      <h2>Sessions</h2>
      <Sessions account={account} token={token} />
      <h2>Your cards and profile</h2>
      <ul>
        {links.map(([path, label]) => (
          <li>
            <a href={path}>{label}</a>
          </li>
        ))}
        {account.publications.some(({ scope, is_public: isPublic }) => scope === 'profile' && isPublic) && (
          <li>
            <a href={`/u/${encodeURIComponent(account.username)}/trust`}>How far others can trust you in a trade</a>
          </li>
        )}
      </ul>
      <h2>What is public</h2>
      <p>
        Nothing of yours is public unless you share it here, and you can stop at any time. This is notice{' '}
        {account.notice_version}: <a href="/privacy">what is kept, and for what</a>.
      </p>
      <Publications account={account} token={token} />
      {account.reports.length > 0 && (
        <>
          <h2 id="reports">Reports</h2>
          <Reports account={account} />
        </>
      )}
      <h2>What is kept about you</h2>
      <p>
        Your username, your roles, your mail address if you gave one, what you agreed to, your sessions and keys by the
        day of their last use, your profile and lists, your trades, and what was done to your account.{' '}
        <a href="/api/v1/account/export">All of it (JSON)</a>
      </p>
      {account.roles.includes('admin') && (
        <p>
          <a href="/account/operator">For operators</a>
        </p>
      )}
      <p>
        <a href="/account/leave">Leave</a>
      </p>
    </>
  )
}

const mailTitle = 'Your mail address is as it was'

const mail = defineForm({
  title: mailTitle,
  fields: closed({ address: Type.String({ maxLength: 254 }) }),
  reply: Asked,
  view: ({ sent: { data }, formToken }) =>
    data && {
      title: 'Your mail address',
      main: (
        <>
          <p role="status">{data.next}</p>
          <MailedCodeForm action="/account/mail/confirm" token={formToken} request={data.request} button="Confirm" />
        </>
      )
    }
})

const confirmMail = defineForm({
  done: 'The address is confirmed.',
  fields: closed({ request: Type.String({ maxLength: 80 }), code: Type.String({ maxLength: 40 }) }),
  reply: Done,
  view: ({ form: { request }, sent: { data }, path, formToken, back }) =>
    data === undefined
      ? {
          title: mailTitle,
          main: <MailedCodeForm action={path} token={formToken} request={request} button="Confirm" />
        }
      : { seeOther: back }
})

const agree = defineForm({
  title: 'Nothing was made public',
  done: 'It is public now. You can stop sharing it at any time.',
  fields: closed({ scope: Type.String({ maxLength: 40 }), notice_version: Type.String({ maxLength: 20 }) })
})

/** Receives `ReportForm`, which the pages of listings, people and collectives show. */
const report = defineForm({
  fields: ReportRequest,
  reply: Done,
  view: ({ form: { kind, of }, sent: { data }, formToken, back }) =>
    data === undefined
      ? {
          title: 'Nothing was reported yet',
          main: <ReportForm kind={kind} of={of} token={formToken} what={`this ${reportableNames[kind]}`} at={back} />
        }
      : {
          title: 'Thank you',
          main: (
            <>
              <p role="status">{data.done}</p>
              <p>
                What came of it is told under <a href="/account#reports">your account</a>.
              </p>
            </>
          )
        }
})

export const accountForms = {
  sign_out: defineForm({ title: 'You are still signed in', done: 'You are signed out.' }),
  end_session: defineForm({ title: 'The session was not ended', done: 'The session is ended.' }),
  remove_passkey: defineForm({ title: 'The passkey was not removed', done: 'The passkey is removed.' }),
  mail,
  confirm_mail: confirmMail,
  remove_mail: defineForm({ title: mailTitle, done: 'The address is removed.' }),
  agree,
  withdraw: defineForm({ title: 'It is still public', done: 'It is no longer public.' }),
  report
}

type ShownKey = DataOf<typeof OwnKey>

const stateOf = ({ revoked_at: revoked, expires_at: ends }: ShownKey): string =>
  revoked !== null
    ? `revoked on ${revoked.slice(0, 10)}`
    : ends === null
      ? 'active'
      : `active until ${ends.slice(0, 10)}`

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
              <SessionForm
                action={`/account/agents/${key.id}/revoke`}
                token={token}
                button="Revoke"
                about={key.name}
                harms
              />
            )}
          </>
        )
      }
    ]}
  />
)

export const KeyForm = ({ token }: Readonly<{ token: string }>): VNode => (
  <SessionForm action="/account/agents" token={token} button="Make a key">
    <Field name="name" label="What it is for" required maxLength={80} />
    <Field name="contact" label="Contact" required minLength={3} maxLength={200} autocomplete="email" />
    <label for="days">Days until it expires</label>
    <input id="days" name="days" type="number" min={1} max={365} aria-describedby="days-hint" />
    <small id="days-hint">Leave this empty for a key that does not expire.</small>
  </SessionForm>
)
