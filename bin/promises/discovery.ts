import { isObject } from '../../core/canonical/json.ts'
import { valueAt } from '../../core/canonical/pointer.ts'
import { surfaceOf } from '../../core/discovery/pointers.ts'
import { isForPrograms } from '../../core/manifest/surface.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import { jsonOf, payloadOf, type Promised, type Subject } from './examples.ts'

async function read({ registry, ask }: Subject, document: string): Promise<unknown> {
  const surface = surfaceOf(registry, document)
  return surface === undefined ? undefined : payloadOf(surface, await jsonOf(await ask(surface.route.path)))
}

type Read = Readonly<Record<string, unknown>>

const rows = (value: unknown): readonly Read[] =>
  Array.isArray(value) ? (value as readonly unknown[]).filter(isObject) : []
const members = (value: unknown): readonly unknown[] => (isObject(value) ? Object.values(value) : [])

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** What each document lists: surface ids, or methods and paths. */
const lists: Readonly<Record<string, (document: Read) => readonly unknown[]>> = {
  manifest: ({ resources }) =>
    members(resources)
      .flatMap(rows)
      .map(({ id }) => id),
  status: ({ endpoints }) => rows(endpoints).map(({ id }) => id),
  tools: ({ tools }) => rows(tools).map(({ meta }) => (isObject(meta) ? meta['surface_id'] : undefined)),
  openapi: ({ paths }) =>
    Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
      Object.keys(item as object)
        .filter(name => methods.has(name))
        .map(method => `${method.toUpperCase()} ${path}`)
    )
}

const operationsOf = ({ route }: Surface): readonly string[] =>
  route.methods.map(method => `${method} ${route.path.length > 1 ? route.path.replace(/\/$/, '') : route.path}`)

export const discovery: Promised = {
  name: 'Every surface is in the manifest and the status, and every one that programs call in the tools and OpenAPI, once in each, and nothing else is.',
  broken: async subject => {
    const { surfaces } = subject.registry
    const found: string[] = []
    for (const [document, listed] of Object.entries(lists)) {
      // A service may leave the tools out.
      if (document === 'tools' && !subject.registry.service.standard.includes('agents')) continue
      const value = await read(subject, document)
      if (!isObject(value)) {
        found.push(`The document \`${document}\` is not served.`)
        continue
      }
      const names = listed(value)
      const expected = (['openapi', 'tools'].includes(document) ? surfaces.filter(isForPrograms) : surfaces).flatMap(
        surface => (document === 'openapi' ? operationsOf(surface) : [surface.id])
      )
      for (const name of expected) {
        const times = names.filter(one => one === name).length
        if (times !== 1) found.push(`${name} is ${times === 0 ? 'not' : `${times} times`} in \`${document}\`.`)
      }
      for (const name of names)
        if (!expected.includes(String(name))) found.push(`\`${document}\` has ${String(name)}, which is not served.`)
    }
    return found
  }
}

function referencesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : referencesIn(member)
  )
}

export const openapi: Promised = {
  name: 'OpenAPI is complete: every reference in it leads to a part of it.',
  broken: async subject => {
    const document = await read(subject, 'openapi')
    if (!isObject(document)) return ['OpenAPI is not served.']
    return [...new Set(referencesIn(document))]
      .filter(reference => reference.startsWith('#/') && valueAt(document, reference.slice(1)) === undefined)
      .map(reference => `The reference ${reference} leads nowhere.`)
  }
}

/** Returns the targets of a Link header (RFC 8288) that are on this service, as paths. */
function targetsOf(response: Response, origin: string): readonly string[] {
  return [...(response.headers.get('link') ?? '').matchAll(/<([^>]*)>/g)]
    .map(found => found[1] ?? '')
    .map(target => (target.startsWith(origin) ? target.slice(origin.length) : target))
    .filter(target => target.startsWith('/'))
}

/**
 * Returns the status if a link is broken, else `undefined`. A 503 with `Retry-After` and a 405 (the path takes other
 * methods) are not broken.
 */
async function brokenStatusOf({ ask }: Subject, path: string): Promise<number | undefined> {
  const response = await ask(path)
  await response.body?.cancel()
  const paused = response.status === 503 && response.headers.get('retry-after') !== null
  return response.status < 400 || response.status === 405 || paused ? undefined : response.status
}

export const links: Promised = {
  name: 'Every link leads somewhere.',
  broken: async subject => {
    const from = new Map<string, string>()
    /** URLs of examples that expect an error, or a key: a link to one of them is not broken. */
    const failing = new Set(
      subject.registry.surfaces.flatMap(({ examples }) =>
        examples.filter(({ as, expect }) => as !== undefined || expect.status >= 400).map(({ url }) => url)
      )
    )
    for (const {
      examples: [example]
    } of subject.registry.surfaces) {
      if (example === undefined) continue
      const response = await subject.run(example)
      await response.body?.cancel()
      // The path of the example exists, though without its query the request may be invalid.
      const answered = example.url.split('?')[0]
      for (const target of targetsOf(response, subject.registry.service.base_url))
        if (target !== answered && !from.has(target)) from.set(target, example.url)
    }
    const found: string[] = []
    for (const [target, place] of from) {
      const status = failing.has(target) ? undefined : await brokenStatusOf(subject, target)
      if (status !== undefined) found.push(`${place} links to ${target}, which answers ${status}.`)
    }
    return found
  }
}
