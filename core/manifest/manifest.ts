import type { Static, TObject, TOptional, TProperties, TString } from 'typebox'
import { accessKinds } from '../access/index.ts'
import type { JsonSchema } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { quotedList } from '../diagnostics/diagnostic.ts'
import { formats } from '../format/index.ts'
import { contracts, methods, provenances, stabilities } from '../vocabulary/words.ts'

export const closed = { additionalProperties: false } as const

/** Name of a corpus, a document or a service. */
export const Name = Type.String({ pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$', maxLength: 60 })
/** Pattern of the name of a member, a parameter or a form. */
export const fieldPattern = '^[A-Za-z_][A-Za-z0-9_]*$'
export const Field = Type.String({ pattern: fieldPattern, maxLength: 60 })

export const SurfaceId = Type.String({ pattern: '^[a-z0-9][a-z0-9._/-]*$', maxLength: 120 })

const Sentence = Type.String({ minLength: 1, maxLength: 2000 })
const Label = Type.String({ minLength: 1, maxLength: 60 })
const Path = Type.String({ pattern: '^/', maxLength: 300 })
const QueryValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
const Texts = Type.Record(Type.String(), Type.String())

const Example = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200, description: 'What the request shows, in a few words.' }),
    method: Type.Optional(Type.Enum(methods, { description: 'Default: the first method of the surface.' })),
    params: Type.Optional({ ...Texts, description: 'Value of each placeholder of the path.' }),
    query: Type.Optional(Type.Record(Type.String(), QueryValue, { description: 'Query parameters.' })),
    headers: Type.Optional({ ...Texts, description: 'Request headers.' }),
    body: Type.Optional(Type.Unknown({ description: 'JSON body.' })),
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
            Type.Record(Type.String(), Type.Unknown(), {
              description:
                'JSON pointers into the body of the answer, each with the value that must be there: `/data/id: a`.'
            })
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
    date: Type.String({
      format: 'date',
      description: 'Since when the surface is deprecated, in UTC. Sent as `Deprecation` (RFC 9745).'
    }),
    sunset: Type.Optional(
      Type.String({ format: 'date', description: 'When it will stop to answer. Sent as `Sunset` (RFC 8594).' })
    ),
    successor: Type.Optional({
      ...SurfaceId,
      description: 'Id of the surface to use instead. Linked as `successor-version`.'
    }),
    reason: { ...Sentence, description: 'Why, in a sentence for the people who use it.' }
  },
  {
    ...closed,
    examples: [{ date: '2026-11-22', sunset: '2027-11-22', successor: 'guides', reason: 'The guides have one path.' }],
    description:
      'That the surface should no longer be used: said in headers, links, `_meta.deprecation` and every discovery document.'
  }
)

/** Name of an access kind, a format or a profile of rights. */
export const Word = Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 60 })

export const AccessWords = Type.Union([Word, Type.Array(Word, { minItems: 2, uniqueItems: true })])

/** The fields of every kind. Rights have no default: a manifest says them, or names a profile that does. */
export const facets = {
  path: {
    ...Path,
    examples: ['/api/v1/guides/{slug}'],
    description: 'Path below the origin. `{name}` stands for exactly one segment: `/api/v1/guides/{slug}`.'
  },
  aliases: Type.Optional(
    Type.Array(Path, {
      minItems: 1,
      uniqueItems: true,
      examples: [['/api/v1/how-to/{slug}']],
      description:
        'Other paths that give the same answer, with the same placeholders. Each links to `path` as `canonical`.'
    })
  ),
  title: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 120,
      examples: ['Guides for newcomers'],
      description: 'Heading of the text representations. Default: the id in words.'
    })
  ),
  summary: Type.String({
    minLength: 1,
    maxLength: 300,
    examples: ['Guides of the library, newest first.'],
    description: 'One sentence: what the surface answers.'
  }),
  description: Type.Optional({
    ...Sentence,
    examples: ['Each guide says who wrote it and when it was last read through.'],
    description: 'More than the summary says, for people and agents.'
  }),
  tags: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 40 }), {
    minItems: 1,
    uniqueItems: true,
    examples: [['guides', 'reading']],
    description: 'Words that group surfaces in tools, OpenAPI and llms.txt; the first one is the group.'
  }),
  rights: Type.Optional({
    ...Word,
    examples: ['open-data'],
    description:
      'A profile of rights of `service.yaml`, which says `access`, `carries_pii`, `requires_consent`, `license` and `sources` of the surface instead.'
  }),
  access: {
    ...AccessWords,
    examples: ['public', ['user', 'agent'], ...accessKinds.slice(1)],
    description: `Who may call it: ${quotedList(accessKinds)}, or an access kind of \`service.yaml\`; or a list. With \`public\` in it everyone may call, and who presents a credential may be told more.`
  },
  carries_pii: Type.Boolean({
    examples: [false],
    description: 'Whether an answer may hold data about a person, other than a printed credit such as an author.'
  }),
  requires_consent: Type.Boolean({
    examples: [false],
    description: 'Whether a person must have agreed before the surface keeps or shows what is of them.'
  }),
  freshness: {
    ...Label,
    examples: ['catalog'],
    description: 'Freshness key of `service.yaml`: how long an answer stays good.'
  },
  license: { ...Label, examples: ['CC0-1.0'], description: 'License tier of the answer, from `service.yaml`.' },
  sources: Type.Array(Label, {
    minItems: 1,
    uniqueItems: true,
    examples: [['self']],
    description: 'Labels of the sources behind the answer, from `service.yaml`.'
  }),
  provenance: Type.Enum(provenances, { examples: ['static'], description: 'How the data came to be.' }),
  stability: Type.Optional(
    Type.Enum(stabilities, { examples: ['beta'], description: 'Default `stable`, or `deprecated` with `deprecation`.' })
  ),
  deprecation: Type.Optional(Deprecation),
  agent: Type.Optional(
    Type.Enum(['core', 'never'], {
      examples: ['core'],
      description:
        '`core`: one of the few surfaces that agents need most, in the small profile of the tool catalogue. `never`: no tool of the Model Context Protocol reaches it.'
    })
  ),
  since: Type.String({
    format: 'date',
    examples: ['2026-11-20'],
    description: 'Date of the first release, such as `2026-11-20`.'
  }),
  methodology: Type.Optional({
    ...Label,
    examples: ['ranking'],
    description: 'Key of the methodology in the corpus `concepts` that explains how the answer is made.'
  }),
  does_not_include: Type.Optional(
    Type.Array(Sentence, {
      minItems: 1,
      uniqueItems: true,
      examples: [['who borrowed a book']],
      description: 'What a reader might expect here and will not find.'
    })
  ),
  contract: Type.Enum(contracts, {
    examples: ['envelope'],
    description: 'Body shape: `{ data, _meta }`, a hashed structural document, or the document alone.'
  }),
  formats: Type.Optional(
    Type.Array(
      { ...Word, examples: formats },
      {
        minItems: 1,
        uniqueItems: true,
        examples: [['json', 'md', 'txt']],
        description: `Representations: ${quotedList(formats)}, or a format of \`service.yaml\`; the first one is the default. Default \`[json]\`.`
      }
    )
  ),
  cache: Type.Optional(
    Type.Union(
      [
        Type.Literal('no-store'),
        Type.Object(
          {
            max_age: Type.Integer({ minimum: 0, description: 'Seconds a client may keep the answer.' }),
            s_maxage: Type.Integer({ minimum: 0, description: 'Seconds a shared cache may keep it.' })
          },
          closed
        )
      ],
      {
        examples: ['no-store', { max_age: 60, s_maxage: 300 }],
        description:
          'Only where answers may be kept longer or shorter than the freshness key says, or not at all: `no-store`.'
      }
    )
  ),
  examples: Type.Optional(
    Type.Array(Example, {
      minItems: 1,
      examples: [
        [
          {
            title: 'One guide',
            params: { slug: 'first-visit' },
            query: { format: 'json' },
            headers: { 'Accept-Language': 'en' },
            expect: { status: 200, shows: { '/data/entry/slug': 'first-visit' } }
          },
          { title: 'A note', method: 'POST', body: { text: 'Thank you.' } }
        ]
      ],
      description: 'Requests that work as written: published, and executed by the tests.'
    })
  )
}

/** The field `method` of kinds that may answer any methods. */
export const AnyMethods = Type.Union(
  [Type.Enum(methods), Type.Array(Type.Enum(methods), { minItems: 1, uniqueItems: true })],
  { examples: ['GET', ['GET', 'POST']], description: 'Method, or a list of methods. Default GET.' }
)
export const OnlyGet = Type.Enum(['GET'], {
  examples: ['GET'],
  description: 'Default GET, the only method of this kind.'
})

/** The fields of every manifest, whatever its kind. */
export type Manifest = Readonly<
  Static<TObject<typeof facets & { kind: TString; method: TOptional<typeof AnyMethods> }>>
>

/** A manifest with the fields of its kind. */
export type ManifestWith<Fields extends TProperties> = Manifest & Readonly<Static<TObject<Fields>>>

export type ManifestSchema = JsonSchema & Readonly<{ properties: Readonly<Record<string, JsonSchema>> }>

/** Returns the closed schema of one kind. Editors show the descriptions on hover. */
export function manifestSchema(name: string, meaning: string, fields: TProperties): ManifestSchema {
  const schema = Type.Object({ kind: Type.Literal(name), ...facets, ...fields }, { ...closed, description: meaning })
  // TypeBox schemas carry markers that are not JSON; the round trip through JSON text removes them.
  return JSON.parse(JSON.stringify(schema)) as ManifestSchema
}
