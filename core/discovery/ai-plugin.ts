import { Type } from '../canonical/type.ts'
import { Closed, defineDocument, Nullable, Text, Url } from './define.ts'
import { absoluteOrNull, pathTo } from './pointers.ts'

const shortName = 20

const Document = Closed({
  schema_version: Type.Literal('v1'),
  name_for_human: Type.String({ minLength: 1, maxLength: shortName }),
  name_for_model: Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_]*$' }),
  description_for_human: Type.String({ maxLength: 100 }),
  description_for_model: Text,
  auth: Closed({ type: Type.Literal('none') }),
  api: Closed({ type: Type.Literal('openapi'), url: Nullable(Url) }),
  contact_email: Text,
  legal_info_url: Type.Union([Url, Type.Null()], {
    description: 'The directory that states the rights of every surface.'
  })
})

export const aiPlugin = defineDocument(Document)({
  build: registry => {
    const { name, summary, description, contact, agents } = registry.service
    return {
      schema_version: 'v1',
      name_for_human: name.slice(0, shortName).trim(),
      name_for_model: agents.model_name,
      description_for_human: agents.human_summary,
      description_for_model: `${summary} ${description}`.trim(),
      auth: { type: 'none' },
      api: { type: 'openapi', url: absoluteOrNull(registry, pathTo(registry, 'openapi')) },
      contact_email: contact.email,
      legal_info_url: absoluteOrNull(registry, pathTo(registry, 'manifest'))
    }
  }
})
