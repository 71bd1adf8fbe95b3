import { isOpen } from '../access/index.ts'
import type { Example, Surface } from '../manifest/surface.ts'
import type { DiscoveryRequest } from './discovery.ts'
import type { Parameter } from './parameters.ts'

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
