import { defineForm, definePage, Type } from 'pantry/page'

const Text = Type.String()
const Key = Type.Object({ prefix: Text, name: Text, scopes: Type.Array(Text), ended: Type.Boolean() })

const issue = defineForm({
  title: 'No key was issued',
  fields: Type.Object({ name: Text, scope: Text }),
  toBody: ({ name, scope }) => ({ name, scopes: scope === '' ? [] : [scope] }),
  reply: Type.Object({ key: Text }),
  view: ({ sent: { data } }) =>
    data && {
      title: 'A new key',
      main: (
        <>
          <p role="status">It is shown only now: keep it where only the agent reads it.</p>
          <pre tabIndex={0} aria-label="Key">
            <code>{data.key}</code>
          </pre>
          <p>
            <a href="/keys">All keys</a>
          </p>
        </>
      )
    }
})

export default definePage({
  shows: { found: Type.Object({ keys: Type.Array(Key), scopes: Type.Array(Text) }) },
  forms: { issue, revoke: defineForm({ title: 'The key was not revoked', fields: Type.Object({ prefix: Text }) }) },
  view: ({ shown: { found }, formToken }) => ({
    title: 'Keys of agents',
    main: (
      <>
        <form method="post" action="/keys">
          <input type="hidden" name="token" value={formToken} />
          <label>
            Who has the key <input name="name" required maxLength={80} />
          </label>
          <label>
            What it may do
            <select name="scope">
              <option value="">What every key may</option>
              {found.scopes.map(scope => (
                <option>{scope}</option>
              ))}
            </select>
          </label>
          <button>Issue a key</button>
        </form>
        <ul>
          {found.keys.map(({ prefix, name, ended }) => (
            <li>
              <code>{prefix}</code> {name}
              {ended ? (
                ', ended'
              ) : (
                <form method="post" action="/keys/revoke">
                  <input type="hidden" name="token" value={formToken} />
                  <input type="hidden" name="prefix" value={prefix} />
                  <button aria-label={`Revoke the key ${prefix}`}>Revoke</button>
                </form>
              )}
            </li>
          ))}
        </ul>
      </>
    )
  })
})
