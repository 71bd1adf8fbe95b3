import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../accounts/page/forms.tsx'
import { NewKey } from '../../../accounts/schemas.ts'

export default definePage({
  form: {
    fields: Type.Object(
      {
        name: Type.String({ maxLength: 80 }),
        contact: Type.String({ maxLength: 200 }),
        days: Type.Optional(Type.String({ maxLength: 4 }))
      },
      { additionalProperties: false }
    ),
    limitBytes: 2048,
    reply: NewKey,
    // An empty form field is left out.
    toBody: ({ name, contact, days = '' }) => ({ name, contact, ...(days === '' ? {} : { days: Number(days) }) })
  },
  view: ({ sent: { data, reason } }) =>
    data === undefined
      ? { title: 'No key was made', main: <Refused reason={reason} back="/account/agents" /> }
      : {
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
                <a href="/account/agents">Your keys</a>
              </p>
            </>
          )
        }
})
