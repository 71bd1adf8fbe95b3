/** What is asked of every candidate. `{id}` and `{sku}` are filled with keys in turn. */
export type Scenario = Readonly<{
  name: string
  about: string
  path: string
  status: number
  /** Send the entity tag of the answer, so that it is a 304. */
  conditional?: true
  keys?: 'fragments' | 'cards'
}>

export const scenarios: readonly Scenario[] = [
  { name: 'fixed', about: 'a fixed enveloped document', path: '/api/v1/welcome', status: 200 },
  { name: 'list', about: 'a fixed enveloped list', path: '/api/v1/wake/fragments', status: 200 },
  { name: 'entry', about: 'a corpus entry by its key', path: '/api/v1/wake/fragments/{id}', status: 200, keys: 'fragments' },
  { name: 'conditional', about: 'a conditional request (304)', path: '/api/v1/welcome', status: 304, conditional: true },
  { name: 'missing', about: 'an unclaimed path (404)', path: '/api/v1/nothing-is-here', status: 404 },
  { name: 'card', about: 'a card from PostgreSQL', path: '/api/v1/universal/card/{sku}', status: 200, keys: 'cards' }
]

export const candidates = ['node', 'koa', 'fastify', 'pantry'] as const
export type Candidate = typeof candidates[number]

/** What a candidate needs to know: written to a file by the bench, from answers of Pantry itself. */
export type Sample = Readonly<{
  scenario: string
  route: string
  status: number
  headers: readonly (readonly [string, string])[]
  /** Body by key; one entry with the empty key where the path has none. */
  bodies: Readonly<Record<string, string>>
  etag: string | null
  databaseUrl: string
}>
