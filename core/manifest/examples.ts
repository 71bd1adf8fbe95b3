import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { formType } from '../vocabulary/words.ts'
import { requiredOf } from './entry-fields.ts'
import type { Manifest } from './schema.ts'
import type { Route } from './route.ts'
import type { Example, Input } from './surface.ts'

const texts = (values: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

function urlOf(
  path: string,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>
): string {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (placeholder, name: string) =>
    name in params ? encodeURIComponent(params[name] ?? '') : placeholder
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** Whether a surface can be called without knowing any value: it has no placeholder, body or required parameter. */
export const needsNothing = (route: Route, input: Input): boolean =>
  route.placeholders.length === 0 && input.body === undefined && requiredOf(input.query).length === 0

const contentOf = (body: JsonValue, { body: declared }: Input): NonNullable<Example['content']> =>
  declared?.isForm === true
    ? { type: formType, text: new URLSearchParams(texts(body as JsonObject)).toString() }
    : { type: 'application/json', text: JSON.stringify(body) }

/**
 * Returns the examples of a manifest with defaults and URLs. Without declared examples, a surface that needs no values
 * gets one: the plain request.
 */
export function examplesOf(
  manifest: Manifest,
  { route, input, status }: Readonly<{ route: Route; input: Input; status: number }>
): Example[] {
  const [first = 'GET'] = route.methods
  const declared = manifest.examples ?? (needsNothing(route, input) ? [{ title: manifest.summary }] : [])
  return declared.map(example => {
    const params = texts(example.params)
    const query = texts(example.query)
    return {
      title: example.title,
      method: example.method ?? first,
      params,
      query,
      headers: example.headers ?? {},
      ...(example.body === undefined
        ? {}
        : { body: example.body as JsonValue, content: contentOf(example.body as JsonValue, input) }),
      url: urlOf(manifest.path, params, query),
      expect: {
        status: example.expect?.status ?? status,
        shows: (example.expect?.shows ?? {}) as Record<string, JsonValue>
      }
    }
  })
}
