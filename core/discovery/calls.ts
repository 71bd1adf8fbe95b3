import { isOpen } from '../access/index.ts'
import type { Example, Surface } from '../manifest/surface.ts'
import type { DiscoveryRequest } from './define.ts'
import type { Parameter } from './parameters.ts'

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns a curl command that sends the request of the example, to copy and run. */
export function commandLine(origin: string, example: Example): string {
  const parts = ['curl', '-sS']
  if (example.method !== 'GET') parts.push('-X', example.method)
  const headers = {
    ...(example.content === undefined ? {} : { 'Content-Type': example.content.type }),
    ...example.headers
  }
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quote(`${name}: ${value}`))
  if (example.content !== undefined) parts.push('--data-raw', quote(example.content.text))
  return [...parts, quote(origin + example.url)].join(' ')
}

/**
 * Returns a string literal for JavaScript (ECMA-262 §11.8.4) and Python: a JSON string with all characters outside
 * ASCII escaped.
 */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[^\0-\x7f]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const headersOf = ({ content, headers }: Example): Readonly<Record<string, string>> => ({
  ...(content === undefined ? {} : { 'Content-Type': content.type }),
  ...headers
})

const members = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${quoted(name)}: ${quoted(value)}`)
    .join(', ')

function javascript(origin: string, example: Example): string {
  const headers = headersOf(example)
  const options = [
    ...(example.method === 'GET' ? [] : [`method: ${quoted(example.method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: { ${members(headers)} }`]),
    ...(example.content === undefined ? [] : [`body: ${quoted(example.content.text)}`])
  ]
  return `const answer = await fetch(${quoted(origin + example.url)}${options.length === 0 ? '' : `, { ${options.join(', ')} }`})\nconsole.log(answer.status, await answer.text())`
}

function python(origin: string, example: Example): string {
  const headers = headersOf(example)
  const given = [
    quoted(origin + example.url),
    ...(example.content === undefined ? [] : [`data=${quoted(example.content.text)}.encode()`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers={${members(headers)}}`]),
    ...(example.method === 'GET' ? [] : [`method=${quoted(example.method)}`])
  ]
  return `import urllib.request\nrequest = urllib.request.Request(${given.join(', ')})\nwith urllib.request.urlopen(request) as answer:\n    print(answer.status, answer.read().decode())`
}

/**
 * Returns the same request as a curl command, JavaScript and Python, to copy and run without further libraries. The
 * Python code raises on error statuses, as `urllib` does.
 */
export const callsOf = (
  origin: string,
  example: Example
): Readonly<{ curl: string; javascript: string; python: string }> => ({
  curl: commandLine(origin, example),
  javascript: javascript(origin, example),
  python: python(origin, example)
})

/** Values are given by parameter position (`p0`, `p1`, …), because parameter names differ between surfaces. */
const mostParameters = 20
export const placeNames = Array.from({ length: mostParameters }, (_, at) => `p${at}`)

type Given = Readonly<{
  runs: boolean
  values: readonly string[]
  url: string | null
  missing: readonly string[]
  sends: string | null
  body: string
}>

export const isGiven = (text: string | undefined): text is string => text !== undefined && text !== ''

/**
 * Returns where the explorer may send a body, and an initial body. Only surfaces that compute from their input are
 * allowed, because they store nothing.
 */
function sentTo({ route, access, provenance, input, examples }: Surface): Pick<Given, 'sends' | 'body'> {
  const takes =
    route.methods.includes('POST') &&
    isOpen(access) &&
    provenance === 'computed' &&
    input.body !== undefined &&
    route.placeholders.length === 0
  const example = examples.find(({ body, expect }) => body !== undefined && expect.status < 400)
  return { sends: takes ? route.path : null, body: takes ? JSON.stringify(example?.body ?? {}, null, 2) : '' }
}

/** Returns the request for the given values. Empty values are left out, because forms send them for empty fields. */
export function requestOf(surface: Surface, parameters: readonly Parameter[], { query }: DiscoveryRequest): Given {
  const { route, access } = surface
  const sent = sentTo(surface)
  const runs = route.methods.includes('GET') && isOpen(access) && parameters.length <= mostParameters
  const values = parameters.map((_, at) => String(query[`p${at}`] ?? ''))
  const valueOf = (name: string, place: Parameter['in']): string | undefined =>
    values[parameters.findIndex(one => one.parameter === name && one.in === place)]
  const missing = parameters.filter((one, at) => one.in === 'path' && !isGiven(values[at])).map(({ name }) => name)
  if (query['run'] === undefined || !runs || missing.length > 0)
    return { runs, values, url: null, missing: query['run'] === undefined ? [] : missing, ...sent }
  const path = route.segments
    .map(
      segment =>
        `/${'literal' in segment ? segment.literal : encodeURIComponent(valueOf(segment.placeholder, 'path') ?? '')}`
    )
    .join('')
  const pairs = parameters.flatMap((one, at) =>
    one.in === 'query' && isGiven(values[at]) ? [[one.parameter, values[at]] as [string, string]] : []
  )
  return {
    runs,
    values,
    url: pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`,
    missing,
    ...sent
  }
}

/**
 * Returns the query that runs an example in the explorer; `null` if the example needs a body, a header or another
 * method than GET.
 */
export function queryOf(
  parameters: readonly Parameter[],
  { method, params, query, headers, body }: Example
): string | null {
  if (method !== 'GET' || body !== undefined || Object.keys(headers).length > 0) return null
  const pairs = parameters.flatMap((one, at): [string, string][] => {
    const value = (one.in === 'path' ? params : one.in === 'query' ? query : {})[one.parameter]
    return value === undefined ? [] : [[`p${at}`, value]]
  })
  return `?${new URLSearchParams([['run', 'yes'], ...pairs]).toString()}`
}
