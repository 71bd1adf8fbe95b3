/** Who is asked. `large` is Pantry with ten times as many surfaces. */
export const servers = ['node', 'koa', 'fastify', 'large', 'pantry'] as const
export type Server = (typeof servers)[number]

/**
 * How many times the processor time of Pantry's request another one takes, within one round. `to`: a server that is
 * asked the same, or `own NAME`, another scenario asked of Pantry. `least` and `most` are the goal.
 */
export type Comparison = Readonly<{ to: Exclude<Server, 'pantry'> | `own ${string}`; least?: number; most?: number }>

/**
 * Lists that the keys of paths are taken from: one key takes the place of `{name}`. `{random}` is a text that nobody
 * has asked with before.
 */
export type KeyList = 'hot' | 'sku' | 'fragment' | 'set' | 'exact' | 'fuzzy' | 'name' | 'typed' | 'prefix'

export type Scenario = Readonly<{
  name: string
  about: string
  path: string
  status?: number
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  /** `tag`: the entity tag of the answer is sent, so that it is a 304. */
  condition?: 'tag'
  /** A body with 100 keys of the list. */
  body?: 'hot' | 'sku'
  /** How many requests are open at a time, where it is not the usual number. */
  connections?: number
  /** The answer is read from the database, which shares a core with what asks. */
  database?: true
  /** Microseconds of processor time, of server and database together, that a request may take. */
  budget?: number
  beside?: readonly Comparison[]
}>

/** What a current browser sends when somebody opens a link. */
const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  'cache-control': 'max-age=0',
  'sec-ch-ua': '"Chromium";v="141", "Not?A_Brand";v="8"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'sec-fetch-user': '?1',
  'upgrade-insecure-requests': '1',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
}
const gzip = { 'accept-encoding': 'gzip' }
/** One of a thousand cards, as a card is that many look at. */
const card = '/api/v1/universal/card/{hot}'
const fewer = { connections: 16, database: true } as const
/** For what takes several milliseconds: with 16 at once a busy machine would need more than 150 ms, and refuse some. */
const few = { connections: 8, database: true } as const

/** In the order of the table. A goal is what the project wants to reach, whether or not it does. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'fixed',
    about: 'a fixed enveloped document',
    path: '/api/v1/welcome',
    beside: [{ to: 'node', least: 0.95 }, { to: 'fastify', least: 3 }, { to: 'koa' }, { to: 'large', most: 1.1 }]
  },
  {
    name: 'list',
    about: 'a fixed enveloped list',
    path: '/api/v1/wake/fragments',
    beside: [{ to: 'node' }, { to: 'fastify' }]
  },
  {
    name: 'entry',
    about: 'an entry of a corpus by its key',
    path: '/api/v1/wake/fragments/{fragment}',
    beside: [{ to: 'node' }, { to: 'fastify' }]
  },
  {
    name: 'conditional',
    about: 'the fixed document, not modified (304)',
    path: '/api/v1/welcome',
    status: 304,
    condition: 'tag',
    beside: [{ to: 'own fixed', least: 1.25 }, { to: 'fastify' }, { to: 'koa' }]
  },
  {
    name: 'gzip',
    about: 'the fixed document, compressed',
    path: '/api/v1/welcome',
    headers: gzip,
    beside: [
      { to: 'own fixed', least: 0.95 },
      { to: 'fastify', least: 4 }
    ]
  },
  {
    name: 'query',
    about: 'with an undeclared query string',
    path: '/api/v1/welcome?zz={random}',
    beside: [{ to: 'own fixed', least: 1 / 3 }, { to: 'fastify' }]
  },
  {
    name: 'large-query',
    about: 'OpenAPI with an undeclared query string',
    path: '/api/openapi.json?zz={random}',
    connections: 8,
    beside: [{ to: 'own openapi', least: 1 / 3 }]
  },
  { name: 'openapi', about: 'OpenAPI (1.3 MB)', path: '/api/openapi.json', connections: 8 },
  {
    name: 'missing',
    about: 'a path nobody serves, at random (404)',
    path: '/api/v1/nothing-is-here/{random}',
    status: 404,
    beside: [{ to: 'fastify', least: 1 }, { to: 'koa' }, { to: 'large', most: 1.1 }]
  },
  {
    name: 'refused',
    about: 'a method that is not allowed (405)',
    method: 'DELETE',
    path: '/api/v1/welcome',
    status: 405,
    beside: [{ to: 'fastify', least: 1 }]
  },
  {
    name: 'card',
    about: 'a card, of a thousand that are asked for often',
    path: card,
    database: true,
    beside: [{ to: 'node', least: 0.6 }, { to: 'fastify', least: 5 }, { to: 'koa' }, { to: 'large', most: 1.1 }]
  },
  {
    name: 'card-any',
    about: 'a card of all, few of them asked for twice',
    path: '/api/v1/universal/card/{sku}',
    database: true,
    beside: [{ to: 'fastify' }, { to: 'own card' }]
  },
  {
    name: 'card-gzip',
    about: 'a card, compressed',
    path: card,
    headers: gzip,
    database: true,
    beside: [{ to: 'own card', least: 0.95 }, { to: 'fastify' }]
  },
  {
    name: 'card-language',
    about: 'a card in a wanted language',
    path: card,
    headers: { 'accept-language': browser['accept-language'] },
    database: true,
    beside: [{ to: 'own card', least: 1 / 1.3 }]
  },
  {
    name: 'card-browser',
    about: 'a card with the headers of a browser',
    path: card,
    headers: browser,
    database: true,
    beside: [{ to: 'own card', least: 1 / 1.3 }, { to: 'fastify' }]
  },
  {
    name: 'batch',
    about: 'a batch of 100 of those thousand cards',
    method: 'POST',
    path: '/api/v1/cards/batch',
    body: 'hot',
    ...fewer,
    budget: 1500,
    beside: [{ to: 'fastify', least: 2.5 }]
  },
  {
    name: 'batch-any',
    about: 'a batch of 100 cards of all',
    method: 'POST',
    path: '/api/v1/cards/batch',
    body: 'sku',
    ...fewer,
    budget: 1500,
    beside: [{ to: 'fastify' }]
  },
  {
    name: 'set',
    about: 'a set of about 300 cards',
    path: '/api/v1/universal/set/{set}',
    ...fewer,
    budget: 1000,
    beside: [{ to: 'fastify' }]
  },
  {
    name: 'search-exact',
    about: 'a search by a full number',
    path: '/api/v1/search/cards?{exact}',
    ...fewer,
    beside: [{ to: 'fastify' }]
  },
  { name: 'search-fuzzy', about: 'a search by a number alone', path: '/api/v1/search/cards?{fuzzy}', ...fewer },
  { name: 'search-name', about: 'a search by a whole name', path: '/api/v1/search/names?{name}', ...few },
  {
    name: 'search-typed',
    about: 'a search by what collectors type: halves, typing mistakes, words of the card',
    path: '/api/v1/search/names?{typed}',
    ...few,
    beside: [{ to: 'own search-name' }]
  },
  {
    name: 'suggest',
    about: 'suggestions for the first letters of a name',
    path: '/api/v1/search/suggest?q={prefix}',
    ...fewer,
    budget: 1000
  },
  ...['hunt', 'artists', 'budget', 'datasets', 'coverage'].map(name => ({
    name,
    about: `what an import has computed: ${name}`,
    path: name === 'hunt' ? '/api/v1/coverage/hunt' : `/api/v1/${name}`,
    ...fewer,
    budget: 2000
  })),
  { name: 'guide', about: 'the guide of a game', path: '/api/v1/prices/games/one-piece', ...fewer },
  { name: 'everything', about: 'everything of a card', path: '/api/v1/cards/{hot}/everything', ...fewer },
  // A page may take 1.5 times the time of its data and a millisecond.
  {
    name: 'page-home',
    about: 'the home page, beside the coverage that it shows',
    path: '/',
    ...few,
    budget: 2000,
    beside: [{ to: 'own coverage' }]
  },
  {
    name: 'page-guide',
    about: 'the page of a game',
    path: '/prices/one-piece',
    ...few,
    budget: 2000,
    beside: [{ to: 'own guide' }]
  },
  {
    name: 'page-card',
    about: 'the page of a card, which shows three documents',
    path: '/product/{hot}',
    ...few,
    budget: 2000,
    beside: [{ to: 'own everything' }]
  }
]
