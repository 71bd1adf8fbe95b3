import { isOpen } from '../access/index.ts'
import type { Example, Surface } from '../manifest/surface.ts'
import type { DiscoveryRequest } from './define.ts'
import type { Parameter } from './parameters.ts'

type Call = Pick<Example, 'method' | 'url' | 'headers' | 'content'>

const headersOf = ({ content, headers }: Call): Readonly<Record<string, string>> => ({
  ...(content === undefined ? {} : { 'Content-Type': content.type }),
  ...headers
})

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export function commandLine(origin: string, example: Call): string {
  const parts = ['curl', '-sS']
  if (example.method !== 'GET') parts.push('-X', example.method)
  for (const [name, value] of Object.entries(headersOf(example))) parts.push('-H', shellQuoted(`${name}: ${value}`))
  if (example.content !== undefined) parts.push('--data-raw', shellQuoted(example.content.text))
  return [...parts, shellQuoted(origin + example.url)].join(' ')
}

/** Returns a string literal of JavaScript (ECMA-262 §11.8.4) and Python: JSON in ASCII. */
const literal = (text: string): string =>
  JSON.stringify(text).replace(/[^\0-\x7f]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns the literals of a request's parts; empty texts where the request has none. */
function literalsOf(example: Call) {
  const members = Object.entries(headersOf(example)).map(([name, value]) => `${literal(name)}: ${literal(value)}`)
  return {
    method: example.method === 'GET' ? '' : literal(example.method),
    headers: members.join(', '),
    body: example.content === undefined ? '' : literal(example.content.text)
  }
}

const given = (parts: readonly (string | false)[]): string => parts.filter(part => part !== false).join(', ')

function javascript(url: string, example: Call): string {
  const { method, headers, body } = literalsOf(example)
  const options = given([
    method !== '' && `method: ${method}`,
    headers !== '' && `headers: { ${headers} }`,
    body !== '' && `body: ${body}`
  ])
  const call = given([url, options !== '' && `{ ${options} }`])
  return `const answer = await fetch(${call})\nconsole.log(answer.status, await answer.text())`
}

function python(url: string, example: Call): string {
  const { method, headers, body } = literalsOf(example)
  const call = given([
    url,
    body !== '' && `data=${body}.encode()`,
    headers !== '' && `headers={${headers}}`,
    method !== '' && `method=${method}`
  ])
  return `import urllib.request\nrequest = urllib.request.Request(${call})\nwith urllib.request.urlopen(request) as answer:\n    print(answer.status, answer.read().decode())`
}

/**
 * Returns the request of an example as a curl command, JavaScript and Python that need no further libraries. The Python
 * code raises on error statuses, as `urllib` does.
 */
export function callsOf(origin: string, example: Call) {
  const url = literal(origin + example.url)
  return { curl: commandLine(origin, example), javascript: javascript(url, example), python: python(url, example) }
}

/** The query parameters of the explorer name a parameter by its position, because names differ between surfaces. */
const mostParameters = 20
export const placeNames = Array.from({ length: mostParameters }, (_, at) => `p${at}`)

/**
 * Returns where the explorer may send a body, and an initial body. Only surfaces that compute from their input are
 * allowed, because they store nothing.
 */
function bodyTarget({ route, access, provenance, input, examples }: Surface): { sends: string | null; body: string } {
  const isAllowed =
    route.methods.includes('POST') &&
    isOpen(access) &&
    provenance === 'computed' &&
    input.body !== undefined &&
    route.placeholders.length === 0
  if (!isAllowed) return { sends: null, body: '' }
  const example = examples.find(({ body, expect }) => body !== undefined && expect.status < 400)
  return { sends: route.path, body: JSON.stringify(example?.body ?? {}, null, 2) }
}

/** Returns the request for the given values. Empty values are left out, because forms send them for empty fields. */
export function requestOf(surface: Surface, parameters: readonly Parameter[], { query }: DiscoveryRequest) {
  const { route, access } = surface
  const runs = route.methods.includes('GET') && isOpen(access) && parameters.length <= mostParameters
  const values = parameters.map((_, at) => String(query[`p${at}`] ?? ''))
  const given = (place: Parameter['in']): [string, string][] =>
    parameters.flatMap((parameter, at) => {
      const value = values[at]
      return parameter.in === place && value !== undefined && value !== '' ? [[parameter.parameter, value]] : []
    })
  const placed = new Map(given('path'))
  const missing =
    query['run'] === undefined
      ? []
      : parameters.filter(one => one.in === 'path' && !placed.has(one.parameter)).map(({ name }) => name)
  const path = route.segments.map(
    segment => `/${'literal' in segment ? segment.literal : encodeURIComponent(placed.get(segment.placeholder) ?? '')}`
  )
  const search = new URLSearchParams(given('query')).toString()
  return {
    runs,
    values,
    url:
      query['run'] === undefined || !runs || missing.length > 0
        ? null
        : path.join('') + (search === '' ? '' : `?${search}`),
    missing,
    ...bodyTarget(surface)
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
