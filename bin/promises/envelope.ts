import { admitsEveryone } from '../../core/access/index.ts'
import { isObject } from '../../core/canonical/json.ts'
import type { Example, Surface } from '../../core/manifest/surface.ts'
import { metaFields } from '../../core/vocabulary/words.ts'
import { jsonOf, mediaTypeOf, requestOf, type Promised, type Subject } from './examples.ts'

const isSame = (found: unknown, expected: unknown): boolean => JSON.stringify(found) === JSON.stringify(expected)

/** Returns the first relation of each link in a Link header; URIs of extension relations follow it. */
const relationsIn = (field: string): readonly string[] =>
  [...field.matchAll(/<[^>]*>; rel="([^" ]*)/g)].map(found => found[1] ?? '')

async function brokenEnvelope(
  { run, registry: { service } }: Subject,
  surface: Surface,
  example: Example
): Promise<readonly string[]> {
  const response = await run(example)
  // Responses in other formats and HTML error pages have no envelope.
  if (mediaTypeOf(response) !== 'application/json') return []
  const value = await jsonOf(response)
  const what = `${surface.id} (${example.method} ${example.url})`
  if (!isObject(value) || !isObject(value['_meta'])) return [`${what} has no \`_meta\`.`]
  const meta = value['_meta']
  const [path] = example.url.split('?')
  const expected = {
    spec_version: service.spec_version,
    endpoint: path,
    freshness_seconds: surface.freshness.seconds,
    license: surface.license,
    self_reference: { this_endpoint: path, contains_self: surface.containsSelf }
  }
  const members = [...metaFields, ...Object.keys(service.envelope)]
  const own = Object.keys(meta).filter(name => name !== 'language')
  const hasLanguage = surface.languages !== undefined && response.status < 400
  const declared = service.links.map(({ rel }) => rel)
  const { sources, source_license: rights } = meta
  const checks: readonly (readonly [holds: boolean, otherwise: string])[] = [
    ...Object.entries(expected).map(
      ([name, text]) =>
        [
          isSame(meta[name], text),
          `says ${name} ${JSON.stringify(meta[name])} instead of ${JSON.stringify(text)}`
        ] as const
    ),
    ['language' in meta === hasLanguage, `${hasLanguage ? 'does not say' : 'says'} in which language it is`],
    [isSame(own, members), `has the \`_meta\` members ${own.join(', ')} instead of ${members.join(', ')}`],
    [
      Array.isArray(sources) && Array.isArray(rights) && sources.length === rights.length,
      'does not give each source its rights'
    ],
    [
      isSame(Object.keys(value).sort(), response.status < 400 ? ['_meta', 'data'] : ['_meta', 'data', 'error']),
      `has the members ${Object.keys(value).join(', ')}`
    ],
    [response.headers.get('x-spec-version') === service.spec_version, 'has no header x-spec-version'],
    ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map(
      name => [/^\d+$/.test(response.headers.get(name) ?? ''), `has no header ${name}`] as const
    ),
    // More links, such as to the next page, come after the declared ones.
    [
      isSame(relationsIn(response.headers.get('link') ?? '').slice(0, declared.length), declared),
      `does not link to ${declared.join(', ')}`
    ]
  ]
  return checks.flatMap(([holds, otherwise]) => (holds ? [] : [`${what} ${otherwise}.`]))
}

export const envelope: Promised = {
  name: 'Every enveloped answer carries the same facts about itself.',
  broken: async subject => {
    const found: string[] = []
    for (const surface of subject.registry.surfaces.filter(({ contract }) => contract === 'envelope')) {
      for (const example of surface.examples.filter(({ url }) => !/[?&]format=(?!json(&|$))/.test(url)))
        found.push(...(await brokenEnvelope(subject, surface, example)))
    }
    return found
  }
}

type BadRequest = Readonly<{ what: string; path: string; init?: RequestInit; statuses: readonly number[] }>

function badRequests(surface: Surface): readonly BadRequest[] {
  const [example] = surface.examples
  if (example === undefined) return []
  const init = requestOf(example)
  const [path = ''] = example.url.split('?')
  const bad: BadRequest[] = [{ what: 'an unknown method', path, init: { method: 'PROPFIND' }, statuses: [405, 501] }]
  // Access is checked first, so the other requests would be refused for lack of it.
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
  { what, path, init, statuses }: BadRequest
): Promise<readonly string[]> {
  const response = await ask(path, init)
  const isPage = mediaTypeOf(response) === 'text/html'
  const value = await jsonOf(response)
  if (!statuses.includes(response.status))
    return [`${id}: ${what} (${path}) answered ${response.status} instead of ${statuses.join(' or ')}.`]
  if (isPage) return []
  const error = isObject(value) && isObject(value['error']) ? value['error'] : undefined
  // The codes of JSON-RPC are numbers.
  return ['string', 'number'].includes(typeof error?.['code']) && typeof error?.['message'] === 'string'
    ? []
    : [`${id}: ${what} (${path}) is refused without a code and a message.`]
}

export const badInput: Promised = {
  name: 'Bad input is refused in words.',
  broken: async subject => {
    const unknown = { what: 'an unknown path', path: '/no/such/path', statuses: [404] }
    const found = [...(await brokenRefusal(subject, 'The service', unknown))]
    for (const surface of [...subject.registry.surfaces, ...subject.registry.forms])
      for (const bad of badRequests(surface)) found.push(...(await brokenRefusal(subject, surface.id, bad)))
    return found
  }
}
