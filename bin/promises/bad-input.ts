import { admitsEveryone } from '../../core/access/index.ts'
import { isObject } from '../../core/canonical/json.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import { requestOf } from './examples.ts'
import { jsonOf, mediaTypeOf, type Promised, type Subject } from './subject.ts'

type Bad = Readonly<{ what: string; path: string; init?: RequestInit; statuses: readonly number[] }>

/** Returns requests that a surface must refuse, derived from its declaration. */
function badRequests(surface: Surface): readonly Bad[] {
  const [example] = surface.examples
  if (example === undefined) return []
  const init = requestOf(example)
  const [path = ''] = example.url.split('?')
  const bad: Bad[] = [{ what: 'an unknown method', path, init: { method: 'PROPFIND' }, statuses: [405, 501] }]
  // Access is checked before anything else is read, so the other requests would be refused for lack of access.
  if (!admitsEveryone(surface.access)) return bad
  for (const [name, schema] of Object.entries(surface.input.query.properties ?? {})) {
    if (!isObject(schema) || !(Array.isArray(schema['enum']) || schema['type'] === 'integer')) continue
    bad.push({ what: `a wrong \`${name}\``, path: `${path}?${name}=not-allowed`, init, statuses: [400] })
  }
  if (example.body !== undefined) {
    bad.push({ what: 'a body that cannot be read', path: example.url, init: { ...init, body: '{' }, statuses: [400] })
    bad.push({
      what: 'a body of another type',
      path: example.url,
      init: { ...init, headers: { 'Content-Type': 'text/plain' } },
      statuses: [415]
    })
  }
  return bad
}

async function brokenRefusal(
  { ask }: Subject,
  id: string,
  { what, path, init, statuses }: Bad
): Promise<readonly string[]> {
  const response = await ask(path, init)
  const isPage = mediaTypeOf(response) === 'text/html'
  const value = await jsonOf(response)
  if (!statuses.includes(response.status))
    return [`${id}: ${what} (${path}) answered ${response.status} instead of ${statuses.join(' or ')}.`]
  if (isPage) return []
  const error = isObject(value) && isObject(value['error']) ? value['error'] : undefined
  return typeof error?.['code'] === 'string' && typeof error['message'] === 'string'
    ? []
    : [`${id}: ${what} (${path}) is refused without a code and a message.`]
}

export const badInput: Promised = {
  name: 'Bad input is refused in words.',
  broken: async subject => {
    const found = [
      ...(await brokenRefusal(subject, 'The service', {
        what: 'an unknown path',
        path: '/no/such/path',
        statuses: [404]
      }))
    ]
    for (const surface of [...subject.registry.surfaces, ...subject.registry.forms])
      for (const bad of badRequests(surface)) found.push(...(await brokenRefusal(subject, surface.id, bad)))
    return found
  }
}
