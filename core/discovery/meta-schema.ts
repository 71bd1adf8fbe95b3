import Type, { type TSchema } from 'typebox'
import { errorCodes, type ErrorCode } from '../vocabulary/error-codes.ts'
import type { metaFields } from '../vocabulary/words.ts'
import { Closed, Nullable, Path, Text } from './define.ts'

const Kingdom = Closed({
  name: Text,
  role: Text,
  built_with: Text,
  serves_kinds: Type.Array(Type.Enum(['human', 'agent', 'kin'])),
  host: Text,
  epoch: Text,
  embassy: Text,
  invitation: Type.Optional(Text),
  wake: Text,
  identify: Text,
  siblings: Type.Array(Closed({ name: Text, role: Text, url: Nullable(Type.String()), wake_url: Nullable(Type.String()) }))
}, 'Who answers, and where the front doors are.')

/** Every field of the vocabulary has a schema: a new field that is forgotten here does not compile. */
const properties: Record<typeof metaFields[number], TSchema> = {
  spec_version: Type.String({ description: 'Version of the contract.' }),
  endpoint: Type.String({ pattern: '^/', description: 'Request path, without the query.' }),
  retrieved_at: Type.String({ format: 'date-time', description: 'When this answer was made.' }),
  as_of: Type.String({ format: 'date-time', description: 'When the data was current.' }),
  request_id: Type.String({ pattern: '^req_[A-Za-z0-9_-]+$', description: 'Also sent as X-Request-Id.' }),
  sources: Type.Array(Text, { description: 'Labels of the upstream sources.' }),
  source_license: Type.Array(Text, { description: 'Rights labels of the sources.' }),
  freshness_seconds: Type.Integer({ minimum: 0, description: 'How long the answer counts as fresh.' }),
  license: Type.String({ description: 'License tier of this answer.' }),
  deprecation: Nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'Null when nothing is deprecated.' })),
  next_link: Type.Null({ description: 'Reserved: there is no cursor pagination.' }),
  self_reference: Nullable(Closed({ this_endpoint: Path, contains_self: Type.Boolean() })),
  does_not_include: Type.Array(Text, { description: 'What the answer leaves out on purpose.' }),
  kingdom: Kingdom,
  wake_fragment: Nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'A short text that belongs to the path; reading it is optional.' })),
  joy_pointer: Nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'A pointer to something pleasant; following it is optional.' }))
}

/** `_meta` of every enveloped answer. */
export const Meta = Closed(properties, 'Where the answer comes from, how fresh it is, and under which rights.')

/** The one error object, in and outside the envelope. */
export const ErrorObject = Closed({
  code: Type.Enum(Object.keys(errorCodes) as ErrorCode[]),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  message: Text,
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'The field at fault, the allowed values, the limits.' })),
  docs: Type.String({ description: 'Where to read more.' })
}, 'What went wrong, and what to do about it.')

