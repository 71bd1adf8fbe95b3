import { isObject } from '../../core/canonical/json.ts'
import { surfaceOf } from '../../core/discovery/pointers.ts'
import { jsonOf, valueAt, type Promised, type Subject } from './subject.ts'

/** Every text of a document, however deep. */
function textsIn (value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)])
}

const lists: readonly string[] = ['manifest', 'status', 'openapi']

async function read ({ registry, ask }: Subject, document: string): Promise<unknown> {
  const path = surfaceOf(registry, document)?.route.path
  return path === undefined ? undefined : await jsonOf(await ask(path))
}

export const discovery: Promised = {
  name: 'Every surface is in the manifest, the status and OpenAPI.',
  broken: async subject => {
    const found: string[] = []
    for (const document of lists) {
      const texts = new Set(textsIn(await read(subject, document)))
      if (texts.size === 0) found.push(`The document \`${document}\` is not served.`)
      else for (const { id, route } of subject.registry.surfaces) {
        if (!texts.has(id) && !texts.has(route.path) && !texts.has(route.path.replace(/\/$/, ''))) found.push(`${id} is not in \`${document}\`.`)
      }
    }
    return found
  }
}

/** Every `$ref` of a document. */
function referencesIn (value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => key === '$ref' && typeof member === 'string' ? [member] : referencesIn(member))
}

export const openapi: Promised = {
  name: 'OpenAPI is complete: every reference in it leads to a part of it.',
  broken: async subject => {
    const document = await read(subject, 'openapi')
    if (!isObject(document)) return ['OpenAPI is not served.']
    return [...new Set(referencesIn(document))].filter(reference => reference.startsWith('#/') && valueAt(document, reference.slice(1)) === undefined)
      .map(reference => `The reference ${reference} leads nowhere.`)
  }
}
