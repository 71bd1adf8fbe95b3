/** The words for how the data behind an answer was produced. */
export const provenances = ['live', 'cached', 'snapshot', 'synced', 'computed', 'static'] as const
export type Provenance = (typeof provenances)[number]

export const stabilities = ['stable', 'beta', 'experimental', 'deprecated'] as const
export type Stability = (typeof stabilities)[number]

/** HTTP methods that a manifest may declare. HEAD is answered like GET, and OPTIONS is answered for every path. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** The form of names in addresses and files: words of lowercase letters and digits, with hyphens between them. */
export const nameForm = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** Media type of most bodies and answers (RFC 8259). */
export const jsonType = 'application/json'
/** Media type of the body that a browser sends for a form (WHATWG URL §5). */
export const formType = 'application/x-www-form-urlencoded'
/** Media type of a form with files (RFC 7578). */
export const multipartType = 'multipart/form-data'

/** The shapes of a JSON body, in this order: `{ data, _meta }`, a hashed structural document, the data alone. */
export const contracts = ['envelope', 'math-mirror', 'bare'] as const
export type Contract = (typeof contracts)[number]

/** The fields of every `_meta`, in their order; members that a service declares under `envelope` come after them. */
export const metaFields = [
  'spec_version',
  'endpoint',
  'retrieved_at',
  'as_of',
  'request_id',
  'sources',
  'source_license',
  'freshness_seconds',
  'license',
  'deprecation',
  'next_link',
  'self_reference',
  'does_not_include'
] as const

/** Fields of the framework that only some `_meta` have. */
export const occasionalMetaFields = ['language'] as const

/** Errors below this prefix have the envelope, except those of surfaces whose default format is HTML. */
export const apiPrefix = '/api/v1/'
/** Path of the document that explains every error code. `docs` in an error is this path with the code as fragment. */
export const diagnosticPath = `${apiPrefix}diagnostic`

/** What the compiler of a kind may receive, each with a description. It gets only what the kind lists in `reaches`. */
export const capabilities = {
  documents: 'the fixed documents',
  corpora: 'the entries of the corpora',
  tables: 'the rows of the tables that are corpora',
  registry: 'everything that is declared',
  observations: 'what the process observes of itself',
  handlers: 'code with the services of its root',
  derivations: 'code with the corpora that it declares and everything that is declared, without services',
  views: 'code that writes pages, with the paths of the registry and nothing else',
  site: 'what all pages in a language have in common',
  service: 'the identity of the service',
  ask: 'the answers of other surfaces',
  versions: 'how long the answers of other surfaces stay the same'
} as const

export type Capability = keyof typeof capabilities
