import type { Static, TProperties } from 'typebox'
import { Type } from '../canonical/type.ts'
import { basePathForm } from '../canonical/url.ts'
import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { closed, annotate, Name, SurfaceId, Word } from './manifest.ts'
import { Rights } from './rights.ts'
import { ThemeSchema } from './theme.ts'

const Text = Type.String({ minLength: 1 })
const text = (description: string, ...examples: string[]) => annotate(Text, description, ...examples)
const Count = Type.Integer({ minimum: 1 })

const object = <Members extends TProperties>(members: Members) => Type.Object(members, closed)

/** Returns the schema of a mapping from names to objects, each with the same members. */
const record = <Members extends TProperties>(description: string, example: object, members: Members, key = Text) =>
  annotate(Type.Record(key, object(members)), description, example)

const Target = annotate(SurfaceId, 'Id of a surface: its manifest path without the ending.')

const LinkRelation = annotate(
  object({
    rel: Type.String({ pattern: '^[a-z][a-z0-9-]*$', description: 'Name of the relation.' }),
    meaning: text('What is at its end.'),
    surface: Type.Optional(annotate(SurfaceId, 'Id of the surface that it leads to. Default: the path that answers.')),
    query: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9_=&.-]+$', description: 'Query of the target, without the question mark.' })
    ),
    registered: Type.Boolean({
      description: 'True for a relation of the IANA registry; others get a URI of this service beside their name.'
    }),
    type: Type.Optional(Type.String({ description: 'Media type of the target.' }))
  }),
  'A Link relation (RFC 8288). Without `surface` its target is the answered path itself.'
)

const RateClass = object({
  caller: text('Who calls: an access kind, or the credential of one, such as `session` or `bearer`.'),
  requests_per_minute: annotate(Type.Union([Count, Type.Null()]), 'How many requests; null without a number.'),
  counted_by: text('What tells one caller from another.'),
  enforced: Type.Boolean({
    description: 'True when more requests are refused, which only callers with a credential can be; false for advice.'
  }),
  note: text('What else a caller should know of the count.')
})

const MemberSchema = Type.Optional(
  Type.Unsafe<JsonObject>({
    type: 'object',
    description: 'JSON Schema of the member. Default: what the value or the corpus shows.'
  })
)

const Meaning = text('What it says, in a sentence for readers.')

const FixedMember = object({
  meaning: Meaning,
  value: Type.Unsafe<JsonValue>({ description: 'The same in every answer.' }),
  schema: MemberSchema
})

const PickedMember = object({
  meaning: Meaning,
  corpus: annotate(Name, 'One of its entries is in each answer, chosen by the path alone; null for an empty corpus.'),
  hash: Type.Optional(
    Type.Enum(['fnv-1a', 'djb2'], { description: 'What spreads the paths over the entries. Default `fnv-1a`.' })
  ),
  prefix: Type.Optional(Type.String({ description: 'Put before the path, so that two members do not choose alike.' })),
  schema: MemberSchema
})

/** The parts of the framework's own surfaces that a service may leave out. */
export const standardParts = ['agents', 'crawlers', 'pages', 'structure'] as const
export type StandardPart = (typeof standardParts)[number]

const required = {
  id: annotate(Name, 'Short name of the service, for identifiers.', 'town-library'),
  name: text('What people call it.', 'The Town Library'),
  summary: text('One sentence: what the service answers.', 'Books, guides and opening hours of the town library.'),
  base_url: annotate(
    Type.String({ pattern: `^https?://[^/]+${basePathForm}$` }),
    'Public origin, and the path that the service is under, if it shares the origin with others. The environment may override it.',
    'https://library.example'
  ),
  contact: annotate(
    object({
      email: text('Address of a mailbox that somebody reads.'),
      response_hours: annotate(Count, 'Within how many hours an answer comes.')
    }),
    'Who reads what people report, and within how many hours.',
    { email: 'desk@library.example', response_hours: 48 }
  )
}

const optional = {
  version: annotate(
    Type.String({ pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' }),
    'Version of the service. Default `0.1.0`.',
    '1.4.0'
  ),
  languages: annotate(
    Type.Array(Type.String({ minLength: 1, maxLength: 35 }), { minItems: 1, uniqueItems: true }),
    'Languages of pages and of messages as tags (BCP 47), the default first: the one that `service.yaml`, manifests and views are written in. The texts in another one are in `translations/<language>.yaml`. Default `[en]`.',
    ['en', 'de']
  ),
  spec_version: text('Version of the contract, in `_meta` and in a header of every answer. Default `1`.', '1'),
  description: text(
    'More than the summary says, for people and agents. Default: the summary.',
    'What the town library holds and when it is open. Loans are not published.'
  ),
  encoding: annotate(
    Type.String(),
    'Identifier of the structural encoding. Default `<id>/universal/v1`.',
    'town-library/universal/v1'
  ),
  tiers: record(
    'License tiers by name, beside those that every service has.',
    { 'CC-BY-4.0': { meaning: 'May be used with attribution.', open: true, label: 'cc-by' } },
    {
      meaning: text('What the tier allows.'),
      open: Type.Boolean({ description: 'True when the tier is a public-domain dedication.' }),
      label: Type.String({ description: 'Short rights label used in source_license.' })
    }
  ),
  freshness: record(
    'Freshness keys by name, beside those that every service has: how long an answer stays good.',
    { shelves: { seconds: 900, meaning: 'Changes while books are returned.' } },
    { seconds: annotate(Count, 'How long an answer stays good.'), meaning: text('Which content it is for.') }
  ),
  sources: record(
    'Sources of the content by label, each with its license tier.',
    { 'national-catalogue': { license: 'CC-BY-4.0', meaning: 'Titles and authors.' } },
    { license: text('License tier of what comes from it.'), meaning: text('What comes from it.') }
  ),
  tags: record(
    'Tags of surfaces by name, beside those of the surfaces that every service has: what the groups of the OpenAPI document say. Default: what their surfaces are called.',
    { shelves: { meaning: 'Where a book is, and when it is back.' } },
    { meaning: text('What its surfaces are about.') }
  ),
  formats: record(
    'Representations beyond those of the framework: JSON that is made of an answer.',
    { quoted: { meaning: 'The answer with its address.', body: { from: '$url', data: '$data' } } },
    {
      meaning: text('Whom it is for, or what it is good for.'),
      body: Type.Unsafe<JsonValue>({
        description:
          'The document. The texts `$data`, `$markdown` and `$url` stand for the data of the answer, the same as Markdown, and its address.'
      })
    },
    Type.String({ pattern: '^[a-z][a-z0-9-]*$' })
  ),
  access: record(
    'Access kinds beyond those of the framework: who may call, with which credential.',
    {
      member: {
        meaning: 'a member of the library',
        grant: 'borrow',
        credential: {
          name: 'membership',
          challenge: 'Membership',
          scheme: { type: 'apiKey', in: 'header', name: 'Membership' }
        }
      }
    },
    {
      meaning: text('Who may call: `This surface is for …`.'),
      grant: Type.Optional(text('The role that it takes.')),
      credential: Type.Union(
        [
          Type.Literal('user'),
          object({
            name: text('Name of the security scheme in OpenAPI.'),
            challenge: text('Scheme of `WWW-Authenticate` (RFC 9110).'),
            scheme: Type.Unsafe<JsonObject>({
              type: 'object',
              description: 'The security scheme as OpenAPI describes it.'
            })
          })
        ],
        { description: 'What they send: a credential of its own, or the one of `user`.' }
      )
    },
    Type.String({ pattern: '^[a-z][a-z0-9-]*$' })
  ),
  scopes: record(
    'Scopes of keys of agents by name: a surface with `scope` is for keys that have it.',
    { 'look-after': { meaning: 'Sees every tree, and writes what was done to it.' } },
    { meaning: text('What a key with it may do.') },
    Type.String({ pattern: '^[a-z][a-z0-9-]*$' })
  ),
  cors: annotate(
    object({
      origins: Type.Array(
        Type.String({
          pattern: '^(https://[a-z0-9.-]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\]))(:[0-9]{1,5})?$',
          description:
            'An origin as browsers send it, such as `https://app.example.org`: https, in small letters, without a path; http only for `localhost`, `127.0.0.1` and `[::1]`.'
        }),
        { minItems: 1, uniqueItems: true, description: 'The origins, each by its name: there is no wildcard.' }
      )
    }),
    'Origins whose scripts may call surfaces that take a key in `Authorization`. Surfaces that are open to everyone answer any origin, and none may use a session. Default: none.',
    { origins: ['https://app.example.org'] }
  ),
  hosts: annotate(
    Type.Array(Text),
    'Parts of the service that answer, as the ontology names them. Default: none is named.',
    ['reading-room', 'archive']
  ),
  envelope: annotate(
    Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]*$' }), Type.Union([FixedMember, PickedMember])),
    'Members that every `_meta` has beyond those of the framework, in this order.',
    {
      keeper: { meaning: 'Who keeps the shelves.', value: 'The reading room', schema: { type: 'string' } },
      motto: { meaning: 'A line to read on.', corpus: 'mottos', hash: 'djb2', prefix: 'motto ' }
    }
  ),
  errors: record(
    'Error codes beyond those of the framework. A code is permanent and has one status.',
    { SHELF_CLOSED: { status: 409, meaning: 'The shelf is being counted.' } },
    {
      status: Type.Integer({ minimum: 400, maximum: 599, description: 'The one status of the code.' }),
      meaning: text('What went wrong.')
    },
    Type.String({ pattern: '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$' })
  ),
  rights: annotate(
    Type.Record(Word, Rights),
    'Profiles of rights, which manifests of this root name under `rights` instead of writing them.',
    {
      'open-data': {
        access: 'public',
        carries_pii: false,
        requires_consent: false,
        license: 'CC0-1.0',
        sources: ['self']
      }
    }
  ),
  links: annotate(
    Type.Array(LinkRelation, { minItems: 1 }),
    'The Link header, in this order. Default: self, start, describedby and alternate.',
    [
      { rel: 'self', meaning: 'The answered path.', registered: true },
      {
        rel: 'guides',
        meaning: 'Guides for newcomers.',
        surface: 'guides',
        query: 'limit=10',
        registered: false,
        type: 'application/json'
      }
    ]
  ),
  next_link: annotate(
    Type.Boolean(),
    'Whether `_meta.next_link` says where the next page is. With `false` it is null in every answer, and `Link` alone says it. Default true.',
    false
  ),
  rate_policy: annotate(
    object({
      limit: annotate(Count, 'Requests in one window.'),
      window_seconds: annotate(Count, 'Length of the window.'),
      summary: text('The policy in a sentence.'),
      classes: annotate(Type.Array(RateClass), 'What holds for each kind of caller.'),
      polite_behaviours: annotate(Type.Array(Text), 'What callers should do to spare the service.')
    }),
    'How many requests a caller may make, as headers and the rate-limit document say it.',
    {
      limit: 60,
      window_seconds: 60,
      summary: 'Sixty requests a minute.',
      classes: [
        {
          caller: 'public',
          requests_per_minute: 60,
          counted_by: 'client address',
          enforced: false,
          note: 'Counted in memory only.'
        }
      ],
      polite_behaviours: ['Cache what does not change.']
    }
  ),
  suggestions: annotate(Type.Record(Text, Target), 'Named pointers of the answer to an unclaimed path.', {
    manifest: 'manifest'
  }),
  index: annotate(
    Type.Array(
      object({
        group: Type.String({ pattern: '^[a-z][a-z_]*$', description: 'Member of the root index.' }),
        title: text('Heading in llms.txt.'),
        surfaces: Type.Array(Target, { minItems: 1, description: 'Ids of its surfaces, in reading order.' })
      })
    ),
    'Groups of the root index and of llms.txt, in reading order. Default: the surfaces of the service by their first tag.',
    [{ group: 'reading', title: 'Books and guides', surfaces: ['books', 'guides'] }]
  ),
  invariants: annotate(Type.Array(Text), 'What holds for every answer of the service.', ['No answer names a reader.']),
  standard: annotate(
    Type.Array(Type.Enum(standardParts), { uniqueItems: true }),
    'Which surfaces of the framework are served, beside those that the contract needs: `agents` (tools, llms.txt and what agents look for), `crawlers` (robots.txt and the sitemap), `pages` (the front page and the explorer), `structure` (graph, ontology, kinds and schemas). Default: all.',
    ['agents', 'crawlers']
  ),
  theme: annotate(
    ThemeSchema,
    'How the pages look: the colour of links and buttons, typefaces, logo, icon, and the links of the footer. Default: as the framework has it.',
    {
      accent: { light: '#8a3324', dark: '#f2b5a7' },
      font: ['Georgia', 'serif'],
      logo: 'sign.svg',
      icon: 'sign.svg',
      footer: [{ label: 'Write to us', href: 'mailto:desk@library.example' }]
    }
  ),
  agents: annotate(
    object({
      model_name: Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_]*$', description: 'Name of the service for models.' }),
      human_summary: Type.String({ maxLength: 100, description: 'What people see beside the name.' }),
      mcp: annotate(
        object({
          endpoint: annotate(Type.Union([Text, Type.Null()]), 'Address of the endpoint; null while there is none.'),
          status: annotate(Type.Enum(['available', 'planned']), 'Whether it answers now.'),
          note: text('What to use until then, or how to connect.')
        }),
        'The endpoint of the Model Context Protocol.'
      ),
      user_agent: text('Form of the `User-Agent` that agents should send.')
    }),
    'What agents read about the service: its name for models, a summary for people, its MCP endpoint, and the user agent they should send.',
    {
      model_name: 'town_library',
      human_summary: 'Books and opening hours.',
      mcp: { endpoint: 'https://library.example/mcp', status: 'available', note: 'Tools for reading only.' },
      user_agent: '<project>/<version> (<contact>)'
    }
  )
}

/** Schema of `manifests/service.yaml`, which can add words such as license tiers, freshness keys and source labels. */
export const ServiceSchema = object({ ...required, ...Type.Partial(Type.Object(optional)).properties })

/** Schema of the `service.yaml` of a root that only adds words to another root's service. */
export const AddedWordsSchema = object(Type.Partial(ServiceSchema).properties)

export type ServiceFile = Readonly<Static<typeof ServiceSchema>>

/** A `service.yaml` with every default filled in, as the rest of the framework uses it. */
export type Service = Required<ServiceFile>

export type EnvelopeMember = Service['envelope'][string]
