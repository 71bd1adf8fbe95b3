import type { JsonObject } from '../../../core/canonical/json.ts'
import type { Corpus } from '../../../core/corpus/corpus.ts'
import type { DiscoveryRequest, Observations } from '../../../core/discovery/define.ts'
import { discoveryDocuments, discoveryModules, schemaFor } from '../../../core/discovery/index.ts'
import { standardParts, type Service } from '../../../core/manifest/service.ts'
import type { Surface } from '../../../core/manifest/surface.ts'
import type { Registry } from '../../../core/registry/registry.ts'
import { english } from '../../../core/vocabulary/language.ts'

export const service: Service = {
  id: 'tide-tables',
  name: 'Tide Tables of the North Coast',
  languages: ['en'],
  version: '1.2.3',
  spec_version: '1',
  summary: 'High and low water at nine harbours.',
  description: 'A small public service, made up for tests.',
  base_url: 'https://tides.example.org',
  contact: { email: 'harbour@example.org', response_hours: 48 },
  encoding: 'tide-tables/universal/v1',
  rights: {},
  cors: { origins: ['https://app.example.org'] },
  errors: { TIDE_OUT: { status: 418, meaning: 'There is no water now.' } },
  formats: {},
  tags: {},
  access: {},
  scopes: {},
  hosts: [],
  envelope: { keeper: { meaning: 'Who keeps the tables.', value: { name: 'The harbour office' } } },
  tiers: {
    'CC0-1.0': { meaning: 'Given to the public.', open: true, label: 'cc0' },
    NOASSERTION: { meaning: 'Nothing is said about reuse.', open: false, label: 'noassertion' }
  },
  freshness: { live: { seconds: 5, meaning: 'Of this moment.' }, catalog: { seconds: 86400, meaning: 'Of this day.' } },
  sources: { self: { license: 'CC0-1.0', meaning: 'Written here.' } },
  links: [
    { rel: 'self', meaning: 'The answered path.', registered: true },
    { rel: 'start', meaning: 'Where to begin.', surface: 'root', registered: true },
    { rel: 'feedback', meaning: 'Where to write to us.', surface: 'harbours', query: 'kind=port', registered: false }
  ],
  next_link: true,
  rate_policy: {
    limit: 60,
    window_seconds: 60,
    summary: 'Sixty a minute.',
    classes: [],
    polite_behaviours: ['Cache.']
  },
  suggestions: { manifest: 'manifest' },
  index: [
    { group: 'orientation_surfaces', title: 'Start here', surfaces: ['root', 'manifest'] },
    { group: 'water', title: 'Water', surfaces: ['harbours', 'history'] }
  ],
  standard: [...standardParts],
  theme: {},
  invariants: ['Every answer says where it comes from.'],
  agents: {
    model_name: 'tide_tables',
    human_summary: 'High and low water.',
    mcp: { endpoint: null, status: 'planned', note: 'None yet.' },
    user_agent: 'project/1.0 (contact)'
  }
}

/** A surface with the facets most tests do not care about. */
export function surface(id: string, path: string, facets: Partial<Surface> = {}): Surface {
  const segments = path
    .split('/')
    .slice(1)
    .map(part => (part.startsWith('{') ? { placeholder: part.slice(1, -1) } : { literal: part }))
  const placeholders = segments.flatMap(segment => ('placeholder' in segment ? [segment.placeholder] : []))
  const params = {
    type: 'object',
    properties: Object.fromEntries(placeholders.map(name => [name, { type: 'string', minLength: 1 }])),
    required: placeholders
  }
  return {
    id,
    kind: 'document',
    reaches: [],
    status: 200,
    containsSelf: false,
    promises: {},
    route: { path, segments, placeholders, methods: ['GET'], aliases: [] },
    title: id,
    summary: `What ${id} answers.`,
    description: `A longer text about ${id}.`,
    tags: ['water'],
    carriesPii: false,
    requiresConsent: false,
    access: ['public'],
    freshness: { key: 'catalog', seconds: 86400 },
    license: 'CC0-1.0',
    sources: ['self'],
    provenance: 'static',
    stability: 'stable',
    since: '2026-11-20',
    doesNotInclude: [],
    contract: 'envelope',
    formats: ['json'],
    input: { params, query: { type: 'object', properties: {} } },
    output: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    examples: [
      {
        title: `Ask for ${id}`,
        method: 'GET',
        params: Object.fromEntries(placeholders.map(name => [name, 'x'])),
        query: {},
        headers: {},
        url: path.replace(/\{[^}]*\}/g, 'x'),
        expect: { status: facets.status ?? 200, shows: {} }
      }
    ],
    answer: undefined,
    origin: { root: 'test', file: `manifests/${id}.yaml` },
    ...facets
  }
}

const textDocuments = new Set(['llms', 'robots', 'security', 'favicon', 'opensearch'])
const placeholders: Readonly<Record<string, string>> = {
  kind: '/{kind}',
  example: '/{endpoint_id}',
  relation: '/{rel}',
  explained: '/{name}'
}

function discoverySurface(document: string): Surface {
  const module = discoveryModules.get(document)!
  const base = surface(document, `/api/v1/${document === 'root' ? '' : document}${placeholders[document] ?? ''}`)
  return {
    ...base,
    kind: 'discovery',
    serves: document,
    // The search that it describes.
    ...(document === 'opensearch'
      ? { page: { shows: [], besides: [], isIndexed: false, menu: { label: 'Find', place: 0, asks: 'q' } } }
      : {}),
    containsSelf: true,
    tags: ['discovery'],
    contract: ['root', 'status', 'tools'].includes(document) ? 'envelope' : 'bare',
    formats:
      document === 'tools'
        ? ['json', 'anthropic', 'openai', 'openai-responses', 'gemini', 'cohere']
        : textDocuments.has(document)
          ? ['txt']
          : ['json'],
    input: { params: module.input?.params ?? base.input.params, query: module.input?.query ?? base.input.query },
    output: schemaFor(service, module.schema)
  }
}

const witnessBody = {
  type: 'object',
  properties: {
    seen: { type: 'string', minLength: 1, maxLength: 20 },
    level: { type: ['integer', 'null'] },
    tags: { type: 'array', items: { $ref: '#/$defs/tag' } }
  },
  required: ['seen'],
  additionalProperties: false,
  $defs: { tag: { enum: ['high', 'low'] } }
}

const own: readonly Surface[] = [
  surface('harbours', '/api/v1/harbours', {
    kind: 'collection',
    shows: { corpus: 'harbours', as: 'list', member: 'harbours' },
    input: {
      params: { type: 'object', properties: {} },
      query: {
        type: 'object',
        properties: {
          kind: { enum: ['port', 'marina'], description: 'Which kind.' },
          limit: { type: 'integer', minimum: 1, maximum: 100 }
        }
      }
    }
  }),
  surface('harbour', '/api/v1/harbours/{slug}', {
    kind: 'entry',
    shows: { corpus: 'harbours', as: 'one', member: 'harbour' },
    methodology: 'tides'
  }),
  surface('history', '/api/v1/harbours/{slug}/history', {
    kind: 'status-only',
    status: 503,
    fixed: { error: { code: 'SOURCE_UNAVAILABLE', message: 'Paused.' }, data: { text: 'paused' } }
  }),
  surface('seen.post', '/api/v1/seen', {
    kind: 'witness',
    route: { path: '/api/v1/seen', segments: [], placeholders: [], methods: ['POST'], aliases: [] },
    input: {
      params: { type: 'object', properties: {} },
      query: { type: 'object', properties: {} },
      body: { schema: witnessBody, limitBytes: 1024 }
    },
    examples: [
      {
        title: 'Say it',
        method: 'POST',
        params: {},
        query: {},
        headers: {},
        body: { seen: "the harbour's light" },
        content: { type: 'application/json', text: '{"seen":"the harbour\'s light"}' },
        url: '/api/v1/seen',
        expect: { status: 200, shows: {} }
      }
    ]
  }),
  surface('mirror', '/mirror', {
    kind: 'handler',
    reaches: ['handlers'],
    code: 'mirror',
    contract: 'bare',
    route: {
      path: '/mirror',
      segments: [{ literal: 'mirror' }],
      placeholders: [],
      methods: ['GET', 'POST', 'DELETE'],
      aliases: []
    },
    tags: ['water', 'play']
  }),
  surface('keys', '/account/keys', {
    access: ['user'],
    contract: 'bare',
    formats: ['html'],
    kind: 'handler',
    reaches: ['handlers'],
    code: 'keys'
  })
]

const corpus = (name: string, key: string, entries: readonly JsonObject[]): Corpus => ({
  name,
  title: name,
  key,
  order: [],
  license: 'CC0-1.0',
  source: 'test',
  roles: {},
  keep: [],
  schema: {},
  entries,
  byKey: new Map(entries.map(entry => [entry[key] as string, entry]))
})

const concepts = corpus('concepts', 'id', [
  {
    id: 'time',
    kind: 'assumption',
    label: 'Time',
    description: 'When.',
    path: null,
    since: '2026-01-01',
    applies_to: [{ facet: 'tag', value: 'water' }],
    relations: []
  },
  {
    id: 'tides',
    kind: 'methodology',
    label: 'Tides',
    description: 'How.',
    path: '/api/v1/harbours',
    applies_to: [{ facet: 'kind', value: 'entry' }],
    relations: [
      { to: 'time', kind: 'cites' },
      { to: 'nobody', kind: 'cites' }
    ]
  }
])

const kindsCorpus = corpus('ontology', 'kind', [
  {
    kind: 'resource',
    position: 1,
    description: 'A surface.',
    purpose: 'Lists.',
    limits: 'Nothing more.',
    properties: [{ name: 'since', type: 'date', description: 'When.', source: 'manifest', modality: 'declared' }]
  }
])

const count = (name: string, computed: JsonObject): JsonObject => ({
  name,
  type: 'number',
  description: 'How many.',
  source: 'graph',
  modality: 'derived',
  computed
})

const declaredKinds = corpus('concept-kinds', 'kind', [
  {
    kind: 'assumption',
    position: 1,
    edge: 'grounds_in',
    description: 'Something taken for granted.',
    purpose: 'Warns.',
    limits: 'Not a fact.',
    properties: [
      count('extension_count', { show: 'count', direction: 'outgoing', edge: 'extended_by' }),
      count('surface_count', { show: 'count', direction: 'incoming', edge: 'grounds_in', of: 'resource' }),
      count('cited_elsewhere', { show: 'count', direction: 'incoming', edge: 'cites', not_of: 'methodology' }),
      {
        name: 'cited_by',
        type: 'string',
        description: 'What cites it.',
        source: 'graph',
        modality: 'derived',
        nullable: true,
        computed: { show: 'names', direction: 'incoming', edge: 'cites' }
      },
      {
        name: 'is_cited',
        type: 'boolean',
        description: 'Whether something cites it.',
        source: 'graph',
        modality: 'derived',
        computed: { show: 'exists', direction: 'incoming', edge: 'cites' }
      }
    ]
  },
  {
    kind: 'methodology',
    position: 2,
    edge: 'explained_by',
    description: 'A method.',
    purpose: 'Explains.',
    limits: 'No value.',
    properties: [
      {
        name: 'status',
        type: 'enum',
        description: 'State.',
        source: 'manifest',
        modality: 'declared',
        enum_values: ['published', 'stub']
      },
      count('formats_count', { show: 'formats' })
    ]
  }
])

export function registryOf(surfaces: readonly Surface[], more: Partial<Registry> = {}): Registry {
  const sorted = [...surfaces].sort((a, b) => (a.route.path < b.route.path ? -1 : 1))
  return {
    service,
    kinds: [],
    roots: ['test'],
    surfaces: sorted,
    forms: [],
    byId: new Map(sorted.map(one => [one.id, one])),
    corpora: new Map([
      ['ontology', kindsCorpus],
      ['concept-kinds', declaredKinds],
      ['concepts', concepts]
    ]),
    documents: new Map(),
    assets: new Map([['icon.svg', { file: 'icon.0.svg', mediaType: 'image/svg+xml', text: '<svg/>' }]]),
    manifests: new Map(),
    extensions: [],
    answers: {},
    dictionaries: new Map(),
    language: english,
    digest: '',
    ...more
  }
}

/** Six surfaces of a made-up service, and every discovery document. */
export const registry = registryOf([...own, ...discoveryDocuments.map(discoverySurface)])

export const observations: Observations = {
  now: new Date('2026-12-01T12:34:56.000Z'),
  startedAt: new Date('2026-12-01T12:00:00.000Z'),
  subsystems: { process: { status: 'ok', detail: 'Runs.' }, database: { status: 'ok', detail: 'Answers.' } }
}

export const request: DiscoveryRequest = { params: {}, query: {} }

/** What a document says of the fixture registry, or of another one. */
export const build = (
  document: string,
  options: { registry?: Registry; request?: Partial<DiscoveryRequest>; observations?: Observations } = {}
): unknown =>
  discoveryModules
    .get(document)!
    .build(options.registry ?? registry, { ...request, ...options.request }, options.observations ?? observations)

/** Request that each document can answer on the fixture registry. */
export const requestFor = (document: string): DiscoveryRequest => ({
  params: {
    kind: 'resource',
    endpoint_id: document === 'example' ? 'get_harbours' : '',
    rel: 'self',
    name: 'get_harbours',
    file: 'icon.0.svg'
  },
  query: {}
})
