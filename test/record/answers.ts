import type { Example, Surface } from '../../core/manifest/surface.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { makeCallers, type Callers } from '../support/callers.ts'
import { generationOf, serveGeneration, type Served } from '../support/serve-root.ts'
import type { Part, Recording, Row } from './rows.ts'
import { steady } from './steady.ts'

/** How a request is sent, and what for. */
type Asking = Readonly<{ how: string; path: string; init: RequestInit }>

type Send = (path: string, init: RequestInit) => Promise<Response>

const headersOf = ({ headers }: RequestInit): Record<string, string> => headers as Record<string, string>

/** Of the connection, and of the clock. */
const ofNobody = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
/** Headers that count, or that are as long as what differs. */
const counted = new Set(['content-length', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after', 'age'])

/** The names of the members of an answer and of what it holds. */
const namesIn = (value: unknown, depth = 2): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0
    ? '…'
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, namesIn(member, depth - 1)]))

/** How an answer may vary: in its length alone, or in all that it says. */
type Varying = 'nothing' | 'length' | 'all'

async function rowOf(key: string, response: Response, varying: Varying = 'nothing'): Promise<Row> {
  const whole = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const text =
    varying !== 'all' ? steady(whole) : isJson && whole !== '' ? JSON.stringify(namesIn(JSON.parse(whole))) : ''
  const headers = [...response.headers]
    .filter(([name]) => !ofNobody.has(name))
    .map(([name, value]): [string, string] => [
      name,
      counted.has(name) && (name !== 'content-length' || varying !== 'nothing' || text !== whole)
        ? 'NUMBER'
        : name === 'etag'
          ? value.replace(/"[^"]*"/, '"TAG"')
          : steady(value)
    ])
  return { key, facts: { status: response.status, ...Object.fromEntries(headers) }, text }
}

const withQuery = (url: string, more: string): string => `${url}${url.includes('?') ? '&' : '?'}${more}`

/** Each way in which an example of a surface can be asked otherwise than it is written. */
function* askingsOf(surface: Surface, example: Example, init: RequestInit): Generator<Asking> {
  const { url } = example
  const [path = ''] = url.split('?')
  const of = (how: string, changed: Partial<Asking>): Asking => ({ how, path: url, init, ...changed })
  const bodiless: RequestInit = { ...init, body: null }
  if (example.method === 'GET') {
    for (const format of surface.formats.slice(1))
      yield of(`as ${format}`, { path: withQuery(path, `format=${format}`) })
    yield of('compressed', { init: { ...init, headers: { ...headersOf(init), 'Accept-Encoding': 'gzip' } } })
    yield of('HEAD', { init: { ...init, method: 'HEAD' } })
    yield of('in a format that it has not', {
      init: { ...init, headers: { ...headersOf(init), Accept: 'application/x-nothing' } }
    })
  } else {
    yield of('without a body', { init: bodiless })
    yield of('with a damaged body', { init: { ...init, body: '{' } })
    yield of('with a body of another type', {
      init: { ...init, body: 'a', headers: { ...headersOf(init), 'Content-Type': 'text/plain' } }
    })
    yield of('from another site', {
      init: {
        ...init,
        headers: { ...headersOf(init), Origin: 'https://another.example', 'Sec-Fetch-Site': 'cross-site' }
      }
    })
  }
  yield of('OPTIONS', {
    init: {
      ...bodiless,
      method: 'OPTIONS',
      headers: { Origin: 'https://another.example', 'Access-Control-Request-Method': example.method }
    }
  })
  for (const name of Object.keys((surface.input.query as { properties?: object }).properties ?? {})) {
    yield of(`${name} twice`, { path: withQuery(path, `${name}=1&${name}=2`) })
    yield of(`${name} empty`, { path: withQuery(path, `${name}=`) })
    yield of(`${name} of no sense`, { path: withQuery(path, `${name}=%F0%9F%83%8F`) })
  }
  yield of('with a query that it has not', { path: withQuery(url, 'no-such=1') })
  yield of('by a method that it has not', { init: { ...bodiless, method: 'PROPFIND' } })
  yield of('below it', { path: `${path}/no-such-thing` })
}

const isGood = ({ expect }: Example): boolean => expect.status < 400

const triesOfChance = 5

/** Whether what is not kept anywhere is another thing each time. */
async function findChance(first: Response, again: () => Promise<Response>): Promise<boolean> {
  if (first.headers.get('cache-control') !== 'no-store') return false
  const found = new Set([steady(await first.clone().text())])
  for (let tries = 0; tries < triesOfChance; tries += 1) found.add(steady(await (await again()).text()))
  return found.size > 1
}

const triesOfTag = 3

/** Asks for what has changed since; what changed in between, as a clock does, is asked once more. */
async function askAgain(url: string, init: RequestInit, send: Send): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const tag = (await send(url, init)).headers.get('etag') ?? ''
    const again = await send(url, { ...init, headers: { ...headersOf(init), 'If-None-Match': tag } })
    if (again.status === 304 || tries === triesOfTag) return again
  }
}

/** Everything that one caller asks of one surface, in an order that is always the same. */
async function* answersOf(surface: Surface, name: string, callers: Callers, { get }: Served): AsyncGenerator<Row> {
  const asked = new Set<string>()
  for (const example of surface.examples) {
    const credentials = await callers.credentialsOf(name, surface)
    await callers.prepare(surface, example)
    const written = await callers.requestOf(surface, example, credentials)
    const init = { ...written, headers: { 'Accept-Encoding': 'identity', ...headersOf(written), ...credentials } }
    const key = `${example.method} ${example.url}${example.content === undefined ? '' : ` ${example.content.text}`}, ${name}`
    const send: Send = async (path, request) => await get(path, request)
    const first = await send(example.url, init)
    const isByChance = example.method === 'GET' && (await findChance(first, async () => await send(example.url, init)))
    const row = await rowOf(
      `${surface.id}: ${key}, as written: ${example.title}`,
      first,
      isByChance ? 'all' : 'nothing'
    )
    yield row
    const varying = isByChance ? 'all' : row.facts['content-length'] === 'NUMBER' ? 'length' : 'nothing'
    // Of one method, the first example that succeeds shows what all others do.
    if (asked.has(example.method) || (!isGood(example) && surface.examples.some(isGood))) continue
    asked.add(example.method)
    if (example.method === 'GET' && first.headers.has('etag'))
      yield await rowOf(`${surface.id}: ${key}, if it has changed`, await askAgain(example.url, init, send))
    for (const { how, path, init: changed } of askingsOf(surface, example, init))
      yield await rowOf(`${surface.id}: ${key}, ${how}`, await send(path, changed), varying)
  }
}

async function* rows({ t, isChosen }: Recording): AsyncGenerator<Row> {
  const { url } = await bundledDatabase(t)
  const served = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const callers = await makeCallers(t, url, served)
  for (const [place, surface] of served.registry.surfaces.entries()) {
    if (!isChosen(place)) continue
    for (const name of Object.keys(callers.all)) {
      // All of it comes in one minute, and nothing of it may be refused for that.
      await callers.database.knex('rate_limits').delete()
      yield* answersOf(surface, name, callers, served)
    }
  }
}

export const answers: Part = {
  name: 'answers',
  about: 'each operation, for each kind of caller, in each format; good, bad, conditional, HEAD, OPTIONS, unknown',
  rows
}
