import { invalid, notFound, reply, Type } from 'pantry/handler'
import { scopesOf } from 'pantry/keys'
import { defineHandler } from '../services.ts'

const Text = Type.String()
const Key = Type.Object({ prefix: Text, name: Text, scopes: Type.Array(Text), ended: Type.Boolean() })

/** The keys of agents, the newest first, and what a key may be allowed. */
export default defineHandler({
  reply: Type.Object({ keys: Type.Array(Key), scopes: Type.Array(Text) }),
  async handle({ now, service }, { keys }) {
    const all = await keys.list()
    const held = all.map(({ prefix, name, scopes, revoked_at: revoked, expires_at: ends }) => ({
      prefix,
      name,
      scopes: [...scopes],
      ended: revoked !== null || (ends !== null && Date.parse(ends) <= now.getTime())
    }))
    return reply({ keys: held, scopes: [...scopesOf(service)] })
  }
})

/** Issues a key. This answer alone shows it. */
export const post = defineHandler({
  body: {
    schema: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S', description: 'Who has the key.' }),
      scopes: Type.Array(Text, { maxItems: 20, description: 'What the key may do.' })
    }),
    limitBytes: 2048
  },
  reply: Type.Object({ key: Text }),
  async handle({ body: { name, scopes }, service }, { keys }) {
    const known = scopesOf(service)
    if (scopes.some(scope => !known.includes(scope))) throw invalid('scopes', 'A scope is not known here.', known)
    const { key } = await keys.issue({ name: name.trim(), scopes })
    return reply({ key })
  }
})

/** Revokes a key: it is refused from the next request on. */
export const revokePost = defineHandler({
  body: {
    schema: Type.Object({
      prefix: Type.String({ pattern: '^pantry_key_[A-Za-z0-9_-]{8}$', description: 'The first characters of the key.' })
    }),
    limitBytes: 256
  },
  reply: Type.Object({ prefix: Text }),
  async handle({ body: { prefix } }, { keys }) {
    if (!(await keys.revoke(prefix))) throw notFound('key that still holds', prefix)
    return reply({ prefix })
  }
})
