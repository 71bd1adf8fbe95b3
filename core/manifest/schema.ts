import Type, { type Static } from 'typebox'
import { errorCodes, type ErrorCode } from '../vocabulary/error-codes.ts'
import { discoveryDocuments, type Kind } from '../vocabulary/words.ts'
import { AnyMethods, closed, facets, Field, Name, OnlyGet, SurfaceId } from './facets.ts'

const codes = Object.keys(errorCodes) as ErrorCode[]

const Corpus = { ...Name, description: 'Name of the corpus: its folder below `corpora/`.' }
const FixedMembers = (before: string) => Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: `Fixed members that stand before ${before}.` }))

const Filter = Type.Union([
  Field,
  Type.Object({
    name: { ...Field, description: 'Query parameter.' },
    field: { ...Field, description: 'Field of the entry it is compared with.' },
    operation: Type.Enum(['equals', 'equals-any-case', 'since', 'maximum'], { description: '`equals`: same value; `equals-any-case`: same text in capitals or not; `since`: this date or later; `maximum`: at most this number.' })
  }, closed)
], { description: 'A field of the entry, or a query parameter with another name or operation.' })

const NormaliseSteps = Type.Array(Type.Enum(['trim', 'lowercase', 'nfc', 'collapse-whitespace']), { minItems: 1, uniqueItems: true })

const Echoes = Type.Optional(Type.Record(Type.String(), Type.Object({
  description: Type.String({ minLength: 1, maxLength: 300, description: 'What the parameter is.' }),
  max_length: Type.Integer({ minimum: 1, maximum: 500, description: 'Longest value in characters, before it is normalised.' }),
  pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Form of the value, before it is normalised. Default: any text without control characters.' })),
  normalise: Type.Optional({ ...NormaliseSteps, description: 'Steps applied to the value, in order.' })
}, closed), { minProperties: 1, description: 'Parameters that the answer gives back beside the members of `document`, by name: placeholders of the path, or optional query parameters. They are never kept.' }))

const StatusOnly = Type.Object({
  kind: Type.Literal('status-only'),
  ...facets,
  method: Type.Optional(AnyMethods),
  status: Type.Integer({ minimum: 200, maximum: 599, description: 'HTTP status of every answer.' }),
  code: Type.Optional(Type.Enum(codes, { description: 'Error code of a failure; may be left out where only one code has the status.' })),
  message: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Message of a failure.' })),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Details of a failure.' })),
  document: Type.Optional(Type.Unknown({ description: 'The status document.' })),
  lines: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1, description: 'The lines of an NDJSON answer.' })),
  echo: Echoes,
  retry_after: Type.Optional(Type.Integer({ minimum: 1, description: 'Seconds, sent as Retry-After.' }))
}, { ...closed, description: 'A fixed answer: no body, corpus or service is read.' })

const Document = Type.Object({
  kind: Type.Literal('document'),
  ...facets,
  method: Type.Optional(OnlyGet),
  document: { ...Name, description: 'Name of the document: its file below `corpora/documents/`.' },
  echo: Echoes
}, { ...closed, description: 'One fixed document.' })

const Collection = Type.Object({
  kind: Type.Literal('collection'),
  ...facets,
  method: Type.Optional(OnlyGet),
  corpus: Corpus,
  filters: Type.Optional(Type.Array(Filter, { description: 'Query parameters that select entries; they combine with AND.' })),
  limit: Type.Optional(Type.Object({
    default: Type.Integer({ minimum: 1 }),
    maximum: Type.Integer({ minimum: 1, maximum: 10_000 })
  }, { ...closed, description: 'Number of entries; becomes the query parameter `limit`.' })),
  order: Type.Optional(Type.Array(Type.String({ pattern: '^-?[A-Za-z_][A-Za-z0-9_]*$' }), { minItems: 1, uniqueItems: true, description: 'Fields to sort by; `-field` from high to low. Default: the order of the corpus.' })),
  pick: Type.Optional(Type.Enum(['daily'], { description: 'One of the entries that the filters select, another each UTC day, the same for every caller.' })),
  all: Type.Optional(Type.Literal(true, { description: 'With `pick`: adds the query parameter `all`, which asks for every entry that the filters select.' })),
  fields: Type.Optional(Type.Array(Field, { minItems: 1, uniqueItems: true, description: 'Fields of an entry that are shown, such as those of an index. Default: all.' })),
  list: Type.Optional({ ...Field, description: 'Name of the list in the answer. Default `entries`; with `pick`, `entry`.' }),
  document: FixedMembers('the content of the corpus')
}, { ...closed, description: 'The entries of a corpus, filtered and ordered.' })

const Entry = Type.Object({
  kind: Type.Literal('entry'),
  ...facets,
  method: Type.Optional(OnlyGet),
  corpus: Corpus,
  key: { ...Field, description: 'Placeholder of the path that carries the key of the entry.' },
  member: Type.Optional({ ...Field, description: 'Name of the entry in the answer. Default `entry`.' }),
  document: FixedMembers('the content of the corpus')
}, { ...closed, description: 'One entry of a corpus by its key.' })

const Witness = Type.Object({
  kind: Type.Literal('witness'),
  ...facets,
  method: Type.Enum(['POST'], { description: 'POST, the only method of this kind.' }),
  body: Type.Object({
    limit_bytes: Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'Largest body in bytes.' }),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the body, an object.' })
  }, { ...closed, description: 'What is read: strict JSON.' }),
  normalise: Type.Optional(Type.Record(Type.String(), NormaliseSteps, { description: 'Steps applied to text fields of the body, in order.' })),
  hash: Type.Object({
    contract: Type.String({ pattern: '^[a-z][a-z0-9.-]*/[0-9]+$', maxLength: 120, description: 'Versioned identifier of the hash contract, such as `note.canonical-json/1`.' }),
    over: Type.Array(Field, { minItems: 1, uniqueItems: true, description: 'Members of the normalised body that the hash covers.' })
  }, { ...closed, description: 'The content hash: SHA-256 over the canonical JSON of these members.' }),
  advice: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of what the normalised body is wished to be. What it lacks is listed in `report` and refused by nobody.' })),
  receipt: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Constants of the receipt.' })),
  document: FixedMembers('the echo')
}, { ...closed, description: 'Checks, normalises, hashes and echoes a body; keeps nothing.' })

const Discovery = Type.Object({
  kind: Type.Literal('discovery'),
  ...facets,
  method: Type.Optional(OnlyGet),
  document: Type.Enum(discoveryDocuments, { description: 'Which document.' })
}, { ...closed, description: 'A document that is computed from all manifests.' })

const Handler = Type.Object({
  kind: Type.Literal('handler'),
  ...facets,
  method: Type.Optional(AnyMethods),
  handler: Type.Optional({ ...SurfaceId, description: 'File below `surfaces/handlers/` without its ending. Default: the id of the surface.' }),
  reads: Type.Optional(Type.Array(Corpus, { minItems: 1, uniqueItems: true, description: 'Corpora that the code reads.' }))
}, { ...closed, description: 'Code answers: `surfaces/handlers/<id>.ts`.' })

/** One closed schema per kind. YAML keys are snake_case; descriptions are the hovers of the editor. */
export const manifestSchemas = {
  'status-only': StatusOnly, document: Document, collection: Collection, entry: Entry, witness: Witness, discovery: Discovery, handler: Handler
} as const satisfies Record<Kind, unknown>

export type Manifest = { [K in Kind]: Readonly<Static<typeof manifestSchemas[K]>> }[Kind]
export type ManifestOf<K extends Kind> = Extract<Manifest, { kind: K }>
