import { canonicalize } from '../../core/canonical/canonical-json.ts'
import { isObject, type JsonValue } from '../../core/canonical/json.ts'
import type { Example, Surface } from '../../core/manifest/surface.ts'
import { compileSchema } from '../../core/schema/compile.ts'
import { jsonOf, mediaTypeOf, valueAt, type Promised, type Subject } from './subject.ts'

/** The request that an example describes. */
export const requestOf = ({ method, headers, body }: Example): RequestInit =>
  ({ method, headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

const same = (found: unknown, wanted: JsonValue): boolean => found !== undefined && canonicalize(found as JsonValue) === canonicalize(wanted)

async function brokenExample ({ ask }: Subject, surface: Surface, example: Example): Promise<readonly string[]> {
  const what = `${surface.id}: "${example.title}" (${example.method} ${example.url})`
  const response = await ask(example.url, requestOf(example))
  if (response.status !== example.expect.status) return [`${what} answered ${response.status} instead of ${example.expect.status}: ${(await response.text()).slice(0, 300)}`]
  if (mediaTypeOf(response) !== 'application/json') return []
  const value = await jsonOf(response)
  const shown = Object.entries(example.expect.shows).filter(([pointer, wanted]) => !same(valueAt(value, pointer), wanted))
    .map(([pointer, wanted]) => `${what} shows ${JSON.stringify(valueAt(value, pointer))} at ${pointer} instead of ${JSON.stringify(wanted)}`)
  // A failure has the shape of all failures; a rendering of its own, the one of its format.
  if (response.status >= 400 || /[?&]format=/.test(example.url)) return shown
  const payload = surface.contract === 'envelope' && isObject(value) ? value['data'] : value
  return [...shown, ...compileSchema(surface.output)(payload).map(({ pointer, message }) => `${what} does not have the published shape: /${pointer.join('/')} ${message}`)]
}

export const examples: Promised = {
  name: 'Every example is answered as it says, in the shape that is published.',
  broken: async subject => {
    const found: string[] = []
    for (const surface of subject.registry.surfaces) for (const example of surface.examples) found.push(...await brokenExample(subject, surface, example))
    return found
  }
}
