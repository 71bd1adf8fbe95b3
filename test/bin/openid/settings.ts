import { Type } from 'pantry/data'

export default Type.Object(
  {
    issuer: Type.String({ pattern: '^https?://', description: 'Address of the OpenID provider.' }),
    clientId: Type.String({ description: 'What the provider calls this service.' }),
    clientSecret: Type.String({ writeOnly: true, description: 'What this service shows to the provider.' }),
    admin: Type.String({ default: '', description: 'Who has the role `admin`, as the provider calls them: `sub`.' })
  },
  { additionalProperties: false }
)
