import { isObject, type JsonSchema } from '../canonical/json.ts'
import { mapSchemas } from './map-schemas.ts'

/** A schema, and the schemas around it in which its references are looked up, the outermost first. */
type Place = Readonly<{ schema: JsonSchema; around: readonly JsonSchema[] }>

const prefix = '#/$defs/'

/** Returns the name of the definition that a schema within a gathered one refers to. */
export const definitionName = ({ $ref: ref }: JsonSchema): string | undefined =>
  typeof ref === 'string' && ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined

/** Returns the definition that a schema within a gathered schema refers to. */
export function definitionOf({ $defs }: JsonSchema, schema: JsonSchema): JsonSchema | undefined {
  const name = definitionName(schema)
  return name === undefined ? undefined : ($defs as Readonly<Record<string, JsonSchema>> | undefined)?.[name]
}

/** Keywords that name and hold definitions: what `gatherDefinitions` moves to the root. */
const moved = ['$defs', 'definitions', '$id', '$anchor']

const isScope = (schema: JsonSchema): boolean => moved.some(keyword => keyword in schema)

function unescaped(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    return token
  }
}

/** Returns the schema at a JSON pointer in a URI fragment (RFC 6901 §6); `undefined` if there is none. */
function atPointer(base: JsonSchema, pointer: string): JsonSchema | undefined {
  let value: unknown = base
  for (const token of pointer.split('/').slice(1)) {
    const name = unescaped(token).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return isObject(value) ? value : undefined
}

/** Returns the schema that a reference names within `base`: by a pointer (`#/$defs/a`), `$anchor` or `$id`. */
function inScope(base: JsonSchema, ref: string): JsonSchema | undefined {
  if (/^#(?:\/|$)/.test(ref)) return atPointer(base, ref.slice(1))
  const keyword = ref.startsWith('#') ? '$anchor' : '$id'
  const named = [
    base,
    ...[base['$defs'], base['definitions']].flatMap(all => (isObject(all) ? Object.values(all) : []))
  ]
  return named.filter(isObject).find(schema => schema[keyword] === ref.replace(/^#/, ''))
}

/** A pointer begins at the outermost schema that has its target, as JSON Schema says; an id is the nearest one. */
function find(ref: string, around: readonly JsonSchema[]): Place | undefined {
  const bases = around.map((base, index) => ({ base, around: around.slice(0, index + 1) }))
  for (const { base, around } of ref.startsWith('#') ? bases : bases.reverse()) {
    const schema = inScope(base, ref)
    if (schema !== undefined) return { schema, around }
  }
  return undefined
}

class Gatherer {
  readonly definitions: Record<string, JsonSchema> = {}
  readonly #names = new Map<string, string>()

  copy({ schema, around }: Place): JsonSchema {
    const here = isScope(schema) && !around.includes(schema) ? [...around, schema] : around
    const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !moved.includes(keyword)))
    const copied = mapSchemas<unknown>(kept, inner => this.copy({ schema: inner, around: here }))
    const { $ref: ref } = schema
    const target = typeof ref === 'string' ? find(ref, here) : undefined
    return target === undefined ? copied : { ...copied, $ref: prefix + this.#define(target, String(ref)) }
  }

  /** Returns the name of a definition. Equal schemas within equal ones have the same name. */
  #define(target: Place, ref: string): string {
    const text = JSON.stringify([target.schema, target.around.at(-1)])
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const plain = ref.replace(/^.*[/#]/, '').replaceAll(/[^A-Za-z0-9_-]/g, '') || 'self'
    let name = plain
    for (let number = 2; Object.hasOwn(this.definitions, name); number += 1) name = `${plain}${number}`
    this.#names.set(text, name)
    this.definitions[name] = {}
    this.definitions[name] = this.copy(target)
    return name
  }
}

const gathered = new WeakMap<object, JsonSchema>()

/**
 * Returns an equal schema whose definitions are all in `$defs` of the root, and whose references are `#/$defs/<name>`.
 * A schema without references is returned as it is; a reference that leads nowhere stays.
 */
export function gatherDefinitions(schema: JsonSchema): JsonSchema {
  const known = gathered.get(schema)
  if (known !== undefined) return known
  const made = JSON.stringify(schema).includes('"$ref"') ? gather(schema) : schema
  gathered.set(schema, made)
  gathered.set(made, made)
  return made
}

function gather(schema: JsonSchema): JsonSchema {
  const gatherer = new Gatherer()
  const root = gatherer.copy({ schema, around: [schema] })
  const { definitions } = gatherer
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }
}

/** Keywords that may be beside a reference that is replaced by its target, because they allow and refuse nothing. */
const annotations = new Set(
  'title description $comment default examples deprecated readOnly writeOnly x-corpus'.split(' ')
)

/** How deep the members, items and alternatives are that code reads of a schema. */
const maxDepth = 3

/** Replaces references in `part` of a gathered schema by their targets, each of `followed` once. */
function openPart(part: JsonSchema, whole: JsonSchema, depth: number, followed: readonly string[]): JsonSchema {
  const name = definitionName(part)
  const target = definitionOf(whole, part)
  if (name !== undefined && target !== undefined && !followed.includes(name)) {
    const own = Object.entries(part).filter(([keyword]) => keyword !== '$ref')
    return own.every(([keyword]) => annotations.has(keyword))
      ? openPart({ ...target, ...Object.fromEntries(own) }, whole, depth, [...followed, name])
      : part
  }
  if (depth === maxDepth) return part
  const inner = (one: unknown): unknown => (isObject(one) ? openPart(one, whole, depth + 1, followed) : one)
  const { properties, items, anyOf } = part
  return {
    ...part,
    ...(isObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])) }
      : {}),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(inner) } : {})
  }
}

/**
 * Returns a gathered schema in which members, their items and alternatives are no references, so that code finds types
 * and names there; what contains itself is a reference further down.
 */
export function openDefinitions(schema: JsonSchema): JsonSchema {
  const whole = gatherDefinitions(schema)
  return whole['$defs'] === undefined ? whole : openPart(whole, whole, 0, [])
}
