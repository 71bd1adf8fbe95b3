import type { JsonObject, JsonValue } from '../../canonical/json.ts'
import type { Tool } from '../../discovery/tool-catalogue.ts'
import { takesBody } from '../../discovery/parameters.ts'
import { invalid } from '../../handler/errors.ts'

type Sent = Readonly<{ method: 'POST'; body: JsonValue }>

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Returns the HTTP request for a tool call. Throws a 400 error for an unknown argument or a missing path value; the
 * surface checks the rest.
 */
export function requestFor(
  { surface, parameters }: Tool,
  given: JsonObject
): Readonly<{ target: string; sent?: Sent }> {
  const names = parameters.map(({ name }) => name)
  const unknown = Object.keys(given).find(name => !names.includes(name))
  if (unknown !== undefined)
    throw invalid(unknown.slice(0, 80), `There is no argument \`${unknown.slice(0, 80)}\`.`, names)
  const valueAt = (place: string, wanted: string): JsonValue | undefined =>
    given[parameters.find(one => one.in === place && one.parameter === wanted)?.name ?? '']
  const path = surface.route.segments
    .map(segment => {
      if ('literal' in segment) return `/${segment.literal}`
      const value = valueAt('path', segment.placeholder)
      if (value === undefined || value === '')
        throw invalid(segment.placeholder, `\`${segment.placeholder}\` is required.`)
      return `/${encodeURIComponent(textOf(value))}`
    })
    .join('')
  const pairs = parameters.flatMap((one): [string, string][] => {
    const value = one.in === 'query' ? given[one.name] : undefined
    return value === undefined || value === null ? [] : [[one.parameter, textOf(value)]]
  })
  const target = pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`
  const body = valueAt('body', 'body')
  const isSent =
    surface.route.methods.every(takesBody) || (body !== undefined && surface.route.methods.includes('POST'))
  return isSent ? { target, sent: { method: 'POST', body: body ?? null } } : { target }
}
