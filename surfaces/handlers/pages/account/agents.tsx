import { closed } from 'pantry/data'
import { defineForm, definePage, Type } from 'pantry/page'
import { KeyForm, KeyTable } from '../../../people/page/account.tsx'
import { leadingTo } from '../../../people/page/next.tsx'
import { Account, NewKey } from '../../../people/schemas.ts'

const add = defineForm({
  title: 'No key was made',
  fields: closed({
    name: Type.String({ maxLength: 80 }),
    contact: Type.String({ maxLength: 200 }),
    days: Type.Optional(Type.String({ maxLength: 4 }))
  }),
  reply: NewKey,
  // A browser sends an empty field as an empty text; `days` is left out then.
  toBody: ({ days = '', ...form }) => ({ ...form, ...(days === '' ? {} : { days: Number(days) }) }),
  view: ({ sent: { data }, back }) =>
    data && {
      title: 'Your new key',
      scripts: ['copy.js'],
      main: (
        <>
          <p role="status">
            <strong>This is the only time that the key is shown.</strong> Keep it where only your agent reads it. It
            belongs in a header, never in a URL.
          </p>
          <pre tabIndex={0} aria-label="Key">
            <code>{data.key}</code>
          </pre>
          <p>Sent as:</p>
          <pre tabIndex={0} aria-label="Header">
            <code>Authorization: Bearer {data.key}</code>
          </pre>
          <p>
            <a href={back}>Your keys</a>
          </p>
        </>
      )
    }
})

export default definePage({
  shows: { account: Account },
  forms: { add, revoke: defineForm({ title: 'The key was not revoked', done: 'The key is revoked.' }) },
  view: ({
    shown: {
      account: { keys, is_fresh: isFresh, limits }
    },
    path,
    formToken
  }) => ({
    title: 'Keys for agents',
    main: (
      <>
        <p>
          A key lets a program ask in your name, {limits.keys_per_minute['free']} times a minute. It reads what everyone
          may read, and no more of what is withheld. Only the operator can grant more.
        </p>
        <KeyTable keys={keys} token={formToken} />
        <h2>A new key</h2>
        {!isFresh && (
          <p class="note">
            This needs a sign-in that is less than ten minutes old.{' '}
            <a href={leadingTo('/account/sign-in', path)}>Sign in again</a>
          </p>
        )}
        <KeyForm token={formToken} />
        <p>
          <a href="/account">Your account</a>
        </p>
      </>
    )
  })
})
