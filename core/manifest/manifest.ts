import type { Static, TObject, TOptional, TProperties, TSchema, TString } from 'typebox'
import { accessKinds } from '../access/index.ts'
import type { JsonSchema } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { quotedList } from '../diagnostics/diagnostic.ts'
import { formats } from '../format/index.ts'
import { contracts, methods, nameForm, provenances, stabilities } from '../vocabulary/words.ts'

export const closed = { additionalProperties: false } as const

/** Returns a schema with the description and the examples that editors and the reference show. */
export const annotate = <Schema extends object>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
): Schema => ({ ...schema, ...(examples.length === 0 ? {} : { examples }), description })

/** Schema of the name of a corpus, a document or a service. */
export const Name = Type.String({ pattern: nameForm.source, maxLength: 60 })
/** Pattern of the name of a member, a parameter or a form. */
export const fieldPattern = '^[A-Za-z_][A-Za-z0-9_]*$'
export const Field = Type.String({ pattern: fieldPattern, maxLength: 60 })

export const SurfaceId = Type.String({ pattern: '^[a-z0-9][a-z0-9._/-]*$', maxLength: 120 })

/** Schema of the name of an access kind, a format or a profile of rights. */
export const Word = Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 60 })

const textOf = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Sentence = textOf(2000)
const Label = textOf(60)
const Path = Type.String({ pattern: '^/', maxLength: 300 })
const DateText = Type.String({ format: 'date' })
const Texts = Type.Record(Type.String(), Type.String())
const QueryValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
const setOf = <Item extends TSchema>(items: Item) => Type.Array(items, { minItems: 1, uniqueItems: true })

const Example = Type.Object(
  {
    title: annotate(textOf(200), 'What the request shows, in a few words.'),
    method: Type.Optional(annotate(Type.Enum(methods), 'Default: the first method of the surface.')),
    params: Type.Optional(annotate(Texts, 'Value of each placeholder of the path.')),
    query: Type.Optional(annotate(Type.Record(Type.String(), QueryValue), 'Query parameters.')),
    headers: Type.Optional(annotate(Texts, 'Request headers.')),
    as: Type.Optional(
      annotate(
        Type.String({ pattern: '^[a-z][a-z0-9-]*(/[a-z][a-z0-9-]*)?$' }),
        'Who asks: an access kind whose callers have a key, and of an agent after a slash the scope of the key. The tests make a key for it, which is never published.'
      )
    ),
    body: Type.Optional(annotate(Type.Unknown(), 'JSON body.')),
    expect: Type.Optional(
      Type.Object(
        {
          status: Type.Optional(
            Type.Integer({
              minimum: 200,
              maximum: 599,
              description: 'Expected status. Default: the declared status, or 200.'
            })
          ),
          shows: Type.Optional(
            annotate(
              Type.Record(Type.String(), Type.Unknown()),
              'JSON pointers into the body of the answer, each with the value that must be there: `/data/id: a`.'
            )
          )
        },
        { ...closed, description: 'What the answer must show. The tests execute it.' }
      )
    )
  },
  closed
)

const Deprecation = Type.Object(
  {
    date: annotate(DateText, 'Since when the surface is deprecated, in UTC. Sent as `Deprecation` (RFC 9745).'),
    sunset: Type.Optional(annotate(DateText, 'When it will stop to answer. Sent as `Sunset` (RFC 8594).')),
    successor: Type.Optional(annotate(SurfaceId, 'Id of the surface to use instead. Linked as `successor-version`.')),
    reason: annotate(Sentence, 'Why, in a sentence for the people who use it.')
  },
  {
    ...closed,
    examples: [{ date: '2026-11-22', sunset: '2027-11-22', successor: 'guides', reason: 'The guides have one path.' }],
    description:
      'That the surface should no longer be used: said in headers, links, `_meta.deprecation` and every discovery document.'
  }
)

const CacheRule = Type.Union([
  Type.Literal('no-store'),
  Type.Object(
    {
      max_age: Type.Integer({ minimum: 0, description: 'Seconds a client may keep the answer.' }),
      s_maxage: Type.Integer({ minimum: 0, description: 'Seconds a shared cache may keep it.' })
    },
    closed
  )
])

export const AccessWords = Type.Union([Word, Type.Array(Word, { minItems: 2, uniqueItems: true })])

/**
 * The fields that manifests of every kind have. Rights have no default: a manifest says them, or names a profile of
 * rights.
 */
export const manifestFields = {
  path: annotate(
    Path,
    'Path below the origin. `{name}` stands for exactly one segment: `/api/v1/guides/{slug}`.',
    '/api/v1/guides/{slug}'
  ),
  aliases: Type.Optional(
    annotate(
      setOf(Path),
      'Other paths that give the same answer, with the same placeholders. Each links to `path` as `canonical`.',
      ['/api/v1/how-to/{slug}']
    )
  ),
  title: Type.Optional(
    annotate(textOf(120), 'Heading of the text representations. Default: the id in words.', 'Guides for newcomers')
  ),
  summary: annotate(textOf(300), 'One sentence: what the surface answers.', 'Guides of the library, newest first.'),
  description: Type.Optional(
    annotate(
      Sentence,
      'More than the summary says, for people and agents.',
      'Each guide says who wrote it and when it was last read through.'
    )
  ),
  tags: annotate(
    setOf(Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 40 })),
    'Words that group surfaces in tools, OpenAPI and llms.txt; the first one is the group.',
    ['guides', 'reading']
  ),
  rights: Type.Optional(
    annotate(
      Word,
      'A profile of rights of `service.yaml`, which says `access`, `carries_pii`, `requires_consent`, `license` and `sources` of the surface instead.',
      'open-data'
    )
  ),
  access: annotate(
    AccessWords,
    `Who may call it: ${quotedList(accessKinds)}, or an access kind of \`service.yaml\`; or a list. With \`public\` in it everyone may call, and who presents a credential may be told more.`,
    'public',
    ['user', 'agent'],
    ...accessKinds.slice(1)
  ),
  scope: Type.Optional(
    annotate(
      Word,
      'Scope of `service.yaml` that the key of an `agent` must have. Default: every key will do.',
      'look-after'
    )
  ),
  carries_pii: annotate(
    Type.Boolean(),
    'Whether an answer may hold data about a person, other than a printed credit such as an author.',
    false
  ),
  requires_consent: annotate(
    Type.Boolean(),
    'Whether a person must have agreed before the surface keeps or shows what is of them.',
    false
  ),
  freshness: annotate(Label, 'Freshness key of `service.yaml`: how long an answer stays good.', 'catalog'),
  license: annotate(Label, 'License tier of the answer, from `service.yaml`.', 'CC0-1.0'),
  sources: annotate(setOf(Label), 'Labels of the sources behind the answer, from `service.yaml`.', ['self']),
  provenance: annotate(Type.Enum(provenances), 'How the data came to be.', 'static'),
  stability: Type.Optional(
    annotate(Type.Enum(stabilities), 'Default `stable`, or `deprecated` with `deprecation`.', 'beta')
  ),
  deprecation: Type.Optional(Deprecation),
  agent: Type.Optional(
    annotate(
      Type.Enum(['core', 'never']),
      '`core`: one of the few surfaces that agents need most, in the small profile of the tool catalogue. `never`: no tool of the Model Context Protocol reaches it.',
      'core'
    )
  ),
  since: annotate(DateText, 'Date of the first release, such as `2026-11-20`.', '2026-11-20'),
  methodology: Type.Optional(
    annotate(Label, 'Key of the methodology in the corpus `concepts` that explains how the answer is made.', 'ranking')
  ),
  does_not_include: Type.Optional(
    annotate(setOf(Sentence), 'What a reader might expect here and will not find.', ['who borrowed a book'])
  ),
  contract: annotate(
    Type.Enum(contracts),
    'Body shape: `{ data, _meta }`, a hashed structural document, or the document alone.',
    'envelope'
  ),
  formats: Type.Optional(
    annotate(
      setOf({ ...Word, examples: formats }),
      `Representations: ${quotedList(formats)}, or a format of \`service.yaml\`; the first one is the default. Default \`[json]\`.`,
      ['json', 'md', 'txt']
    )
  ),
  cache: Type.Optional(
    annotate(
      CacheRule,
      'Only where answers may be kept longer or shorter than the freshness key says, or not at all: `no-store`.',
      'no-store',
      { max_age: 60, s_maxage: 300 }
    )
  ),
  strict: Type.Optional(
    annotate(
      Type.Boolean(),
      'True where a query parameter that the surface does not declare is a 400 that lists the declared ones. Default false: it is not read, and `X-Ignored-Parameters` names it.',
      true
    )
  ),
  deadline: Type.Optional(
    annotate(
      Type.Integer({ minimum: 1, maximum: 50 }),
      'Seconds in which the answer must be there. Later it is a 503, and the `signal` of the handler is aborted. Default 30.',
      5
    )
  ),
  examples: Type.Optional(
    annotate(
      Type.Array(Example, { minItems: 1 }),
      'Requests that work as written: published, and executed by the tests.',
      [
        {
          title: 'One guide',
          params: { slug: 'first-visit' },
          query: { format: 'json' },
          headers: { 'Accept-Language': 'en' },
          expect: { status: 200, shows: { '/data/entry/slug': 'first-visit' } }
        },
        { title: 'A note', method: 'POST', as: 'agent', body: { text: 'Thank you.' } }
      ]
    )
  )
}

/** Schema of the field `method` of kinds whose surfaces may answer any methods. */
export const AnyMethods = annotate(
  Type.Union([Type.Enum(methods), setOf(Type.Enum(methods))]),
  'Method, or a list of methods. Default GET.',
  'GET',
  ['GET', 'POST']
)
export const OnlyGet = annotate(Type.Enum(['GET']), 'Default GET, the only method of this kind.', 'GET')

/** The fields of every manifest, whatever its kind. */
export type Manifest = Readonly<
  Static<TObject<typeof manifestFields & { kind: TString; method: TOptional<typeof AnyMethods> }>>
>

/** A manifest with the further fields of its kind. */
export type ManifestWith<Fields extends TProperties> = Manifest & Readonly<Static<TObject<Fields>>>

export type ManifestSchema = JsonSchema & Readonly<{ properties: Readonly<Record<string, JsonSchema>> }>

/** Returns the closed schema of one kind. Editors show the descriptions on hover. */
export function manifestSchema(name: string, meaning: string, fields: TProperties): ManifestSchema {
  const schema = Type.Object(
    { kind: Type.Literal(name), ...manifestFields, ...fields },
    { ...closed, description: meaning }
  )
  // TypeBox schemas carry markers that are not JSON; the round trip through JSON text removes them.
  return JSON.parse(JSON.stringify(schema)) as ManifestSchema
}
