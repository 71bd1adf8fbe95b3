import { isOpen } from '../access/index.ts'
import type { Example, Surface } from '../manifest/surface.ts'
import type { DiscoveryRequest } from './define.ts'
import type { Parameter } from './parameters.ts'

type Call = Pick<Example, 'method' | 'url' | 'headers' | 'as' | 'content'>

/** Returns the declared headers of a request, with one that shows where a key belongs. */
export const shownHeaders = ({ headers, as }: Call): Readonly<Record<string, string>> => ({
  ...headers,
  ...(as === undefined ? {} : { [as.header[0]]: as.header[1] })
})

const headersOf = (call: Call): Readonly<Record<string, string>> => ({
  ...(call.content === undefined ? {} : { 'Content-Type': call.content.type }),
  ...shownHeaders(call)
})

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export function commandLine(origin: string, example: Call): string {
  const parts = ['curl', '-sS']
  if (example.method !== 'GET') parts.push('-X', example.method)
  for (const [name, value] of Object.entries(headersOf(example))) parts.push('-H', shellQuoted(`${name}: ${value}`))
  if (example.content !== undefined) parts.push('--data-raw', shellQuoted(example.content.text))
  return [...parts, shellQuoted(origin + example.url)].join(' ')
}

/** Returns a text as JSON in ASCII, which is a string literal of JavaScript (ECMA-262) and of Python. */
const literal = (text: string): string =>
  JSON.stringify(text).replace(/[^\0-\x7f]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns a list of one item, the text between `before` and `after`; an empty list if the text is empty. */
const part = (before: string, text: string, after = ''): string[] => (text === '' ? [] : [before + text + after])

/**
 * Returns a request as a curl command, and as code of JavaScript and Python that needs no further libraries. The Python
 * code raises an exception for error statuses, as `urllib` does.
 */
export function callsOf(origin: string, example: Call) {
  const url = literal(origin + example.url)
  const method = example.method === 'GET' ? '' : literal(example.method)
  const headers = Object.entries(headersOf(example))
    .map(([name, value]) => `${literal(name)}: ${literal(value)}`)
    .join(', ')
  const body = example.content === undefined ? '' : literal(example.content.text)
  const options = [...part('method: ', method), ...part('headers: { ', headers, ' }'), ...part('body: ', body)]
  const javascript = [url, ...part('{ ', options.join(', '), ' }')]
  const python = [
    url,
    ...part('data=', body, '.encode()'),
    ...part('headers={', headers, '}'),
    ...part('method=', method)
  ]
  return {
    curl: commandLine(origin, example),
    javascript: `const answer = await fetch(${javascript.join(', ')})\nconsole.log(answer.status, await answer.text())`,
    python: `import urllib.request\nrequest = urllib.request.Request(${python.join(', ')})\nwith urllib.request.urlopen(request) as answer:\n    print(answer.status, answer.read().decode())`
  }
}

/**
 * The explorer does not run a surface with more parameters. Its query names a parameter by its position (`p0`), because
 * names differ between surfaces.
 */
const maxParameters = 20
export const positionNames = Array.from({ length: maxParameters }, (_, at) => `p${at}`)

/**
 * Returns the path to which the explorer may POST a JSON body, and an initial body. The path is null unless the surface
 * is open and only computes from its input, because then it stores nothing.
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

/**
 * Returns the request for the values in the query of the explorer; its `url` is null unless the explorer runs it now.
 * Empty values are left out, because forms send them for empty fields.
 */
export function requestOf(surface: Surface, parameters: readonly Parameter[], { query }: DiscoveryRequest) {
  const { route, access } = surface
  const runs = route.methods.includes('GET') && isOpen(access) && parameters.length <= maxParameters
  const values = parameters.map((_, at) => String(query[`p${at}`] ?? ''))
  const valuesIn = (place: Parameter['in']): [string, string][] =>
    parameters.flatMap((parameter, at) => {
      const value = values[at] ?? ''
      return parameter.in === place && value !== '' ? [[parameter.parameter, value]] : []
    })
  const params = new Map(valuesIn('path'))
  const isAsked = query['run'] !== undefined
  const missing = parameters
    .filter(({ in: place, parameter }) => isAsked && place === 'path' && !params.has(parameter))
    .map(({ name }) => name)
  const path = route.segments.map(
    segment => `/${'literal' in segment ? segment.literal : encodeURIComponent(params.get(segment.placeholder) ?? '')}`
  )
  const search = part('?', new URLSearchParams(valuesIn('query')).toString())
  const url = isAsked && runs && missing.length === 0 ? [...path, ...search].join('') : null
  return { runs, values, url, missing, ...bodyTarget(surface) }
}

/** Returns the query that runs an example in the explorer; null if it needs more than a GET without headers. */
export function queryOf(
  parameters: readonly Parameter[],
  { method, params, query, headers, as, body }: Example
): string | null {
  if (method !== 'GET' || body !== undefined || as !== undefined || Object.keys(headers).length > 0) return null
  const pairs = parameters.flatMap(({ in: place, parameter }, at): [string, string][] => {
    const value = (place === 'path' ? params : place === 'query' ? query : {})[parameter]
    return value === undefined ? [] : [[`p${at}`, value]]
  })
  return `?${new URLSearchParams([['run', 'yes'], ...pairs]).toString()}`
}
