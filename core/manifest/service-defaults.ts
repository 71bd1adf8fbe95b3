import { accessTable } from '../access/index.ts'
import { memoize } from '../canonical/work.ts'
import { errorCodes, type ErrorMeaning } from '../vocabulary/error-codes.ts'
import { frameworkLanguage } from '../vocabulary/language.ts'
import { jsonType } from '../vocabulary/words.ts'
import { standardParts, type Service, type ServiceFile } from './service.ts'

// Words that every service has. A service replaces one by declaring the same name; the words that it declares come
// first.
const tiers: Service['tiers'] = {
  'CC0-1.0': { meaning: 'Dedicated to the public domain.', open: true, label: 'cc0' },
  NOASSERTION: { meaning: 'No permission to reuse is asserted.', open: false, label: 'noassertion' }
}
const freshness: Service['freshness'] = {
  live: { seconds: 5, meaning: 'Observed while answering.' },
  status: { seconds: 30, meaning: 'How the service and its parts are doing.' },
  rotating: { seconds: 300, meaning: 'Picked from a fixed collection, in turn.' },
  directory: { seconds: 600, meaning: 'Lists that grow by hand.' },
  catalog: { seconds: 86400, meaning: 'What the service holds.' },
  methodology: { seconds: 86400, meaning: 'Texts and rules that explain how an answer is made.' }
}
const sources: Service['sources'] = {
  self: { license: 'CC0-1.0', meaning: 'Written or computed by this service about itself.' }
}
const tags: Service['tags'] = {
  agents: { meaning: 'For programs that find their own way: tools, worked requests, maps.' },
  discovery: { meaning: 'What is served here, in forms that programs read.' },
  operations: { meaning: 'How the service is doing, how often to ask, where to report a problem.' },
  orientation: { meaning: 'Where to begin.' },
  structure: { meaning: 'What the service is made of: kinds, relations and schemas.' }
}

const link = (rel: string, surface: string, meaning: string): Service['links'][number] => ({
  rel,
  meaning,
  surface,
  registered: true,
  type: jsonType
})

const links: Service['links'] = [
  { rel: 'self', meaning: 'The path that answered.', registered: true },
  link('start', 'root', 'A first page for whoever has just arrived.'),
  link('describedby', 'manifest', 'The typed directory of every public surface.'),
  link('alternate', 'openapi', 'The same contract as an OpenAPI document.')
]

const ratePolicy: Service['rate_policy'] = {
  limit: 60,
  window_seconds: 60,
  summary:
    'At most 60 requests a minute from one client address are asked for. The number is advice: no public request is refused for exceeding it.',
  classes: [
    {
      caller: 'public',
      requests_per_minute: 60,
      counted_by: 'client address, as a hash with a random salt, in memory only',
      enforced: false,
      note: 'The counter is forgotten when its window ends.'
    }
  ],
  polite_behaviours: [
    'Send If-None-Match with the ETag you hold.',
    'Accept gzip, and keep the connection open between requests.',
    'After a 429 or a 503, wait as long as Retry-After says.'
  ]
}

const invariants: Service['invariants'] = [
  'An answer under the envelope is `{ data, _meta }`; `_meta` names the sources, the time, the freshness and the rights of the answer.',
  'A failure below /api/v1/ keeps that shape and adds `error`, with a permanent code and a message that names what to change.',
  'Reading public surfaces needs no account and no key.'
]

/** Returns the service that a `service.yaml` declares, with a default for everything that the file leaves out. */
export const serviceOf = (file: ServiceFile): Service => ({
  version: '0.1.0',
  languages: [frameworkLanguage],
  spec_version: '1',
  description: file.summary,
  encoding: `${file.id}/universal/v1`,
  formats: {},
  access: {},
  scopes: {},
  cors: { origins: [] },
  hosts: [],
  envelope: {},
  errors: {},
  rights: {},
  links,
  next_link: true,
  rate_policy: ratePolicy,
  suggestions: { manifest: 'manifest', openapi: 'openapi' },
  index: [],
  invariants,
  standard: [...standardParts],
  theme: {},
  agents: {
    model_name: file.id.replaceAll('-', '_'),
    human_summary: file.summary.slice(0, 100),
    mcp: {
      endpoint: null,
      status: 'planned',
      note: 'No MCP server is running. The tool catalogue lists every surface as a function over plain HTTP.'
    },
    user_agent: '<project>/<version> (<contact>)'
  },
  ...file,
  base_url: file.base_url.replace(/\/$/, ''),
  tiers: { ...file.tiers, ...tiers, ...file.tiers },
  freshness: { ...file.freshness, ...freshness, ...file.freshness },
  sources: { ...file.sources, ...sources, ...file.sources },
  tags: { ...file.tags, ...tags, ...file.tags }
})

/** What the words that every service has say, for people. */
export const defaultMeanings: ReadonlySet<string> = new Set(
  [tags, tiers, freshness, sources].flatMap(words => Object.values(words).map(({ meaning }) => meaning))
)

const anonymousLimits = memoize(({ access, rate_policy: { classes } }: Service) => {
  const table = accessTable(access)
  const areEnforced = classes.some(
    ({ caller, enforced }) => enforced && Object.hasOwn(table, caller) && table[caller]?.credential === undefined
  )
  return { areEnforced }
})

/** Whether callers without a credential are refused when they write more than the limit. */
export const limitsWrites = (service: Service): boolean => anonymousLimits(service).areEnforced

/** Returns every error code of a service, also those of the framework, sorted by status and then name. */
export const errorCodesOf = ({ errors }: Pick<Service, 'errors'>): Readonly<Record<string, ErrorMeaning>> =>
  Object.fromEntries(
    Object.entries<ErrorMeaning>({ ...errors, ...errorCodes }).sort(
      ([a, one], [b, other]) => one.status - other.status || (a < b ? -1 : 1)
    )
  )
