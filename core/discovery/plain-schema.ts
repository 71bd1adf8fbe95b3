import { isObject, type JsonSchema } from '../canonical/json.ts'
import { definitionName, gatherDefinitions } from '../schema/definitions.ts'
import { mapSchemas } from '../schema/map-schemas.ts'

const leftOut = new Set(['$schema', '$id', '$defs', 'definitions', '$comment', 'if', 'then', 'else'])
const anyName = '^.*$'

/** Copies a schema whose references are in `definitions`. `open`: those whose targets are being copied. */
class Copier {
  /** The definitions that `copy` has left as references, because they contain themselves. */
  readonly kept = new Map<string, JsonSchema>()
  readonly #definitions: JsonSchema
  readonly #keepsRecursive: boolean

  constructor({ $defs }: JsonSchema, keepsRecursive: boolean) {
    this.#definitions = isObject($defs) ? $defs : {}
    this.#keepsRecursive = keepsRecursive
  }

  copy(schema: JsonSchema, open: readonly string[] = []): JsonSchema {
    const { $ref: ref, ...own } = schema
    if (typeof ref !== 'string') {
      const kept = Object.entries(schema).filter(([key]) => !leftOut.has(key) && !key.startsWith('x-'))
      const plain = { ...Object.fromEntries(kept), ...referenceIn(schema) }
      return tidy(mapSchemas<unknown>(plain, inner => this.copy(inner, open)))
    }
    const name = definitionName(schema) ?? ''
    const target = this.#definitions[name]
    if (!isObject(target)) return this.copy(own, open)
    if (this.#keepsRecursive && this.#isRecursive(name)) {
      this.#keep(name, target)
      return { ...this.copy(own, open), $ref: ref }
    }
    return open.includes(name)
      ? this.copy(own, open)
      : { ...this.copy(target, [...open, name]), ...this.copy(own, open) }
  }

  #keep(name: string, target: JsonSchema): void {
    if (this.kept.has(name)) return
    this.kept.set(name, {})
    this.kept.set(name, this.copy(target))
  }

  #isRecursive(name: string): boolean {
    const seen = new Set<string>()
    const waiting = [name]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const to of referencesIn(this.#definitions[next])) {
        if (to === name) return true
        if (!seen.has(to)) waiting.push(to)
        seen.add(to)
      }
    }
    return false
  }
}

/** Returns the names of the definitions that a schema refers to. */
export function referencesIn(schema: unknown): readonly string[] {
  if (!isObject(schema)) return []
  const found: string[] = []
  const name = definitionName(schema)
  if (name !== undefined) found.push(name)
  mapSchemas<unknown>(schema, inner => {
    found.push(...referencesIn(inner))
    return inner
  })
  return found
}

/** Returns the description of a schema whose values are keys of a corpus (`x-corpus`), which says so. */
function referenceIn({ description, 'x-corpus': corpus }: JsonSchema): JsonSchema {
  if (typeof corpus !== 'string') return {}
  const said = `Key of an entry of \`${corpus}\`.`
  return { description: typeof description === 'string' ? `${description} (${said})` : said }
}

/**
 * Rewrites a schema for tools that support less: without empty parts of `allOf`, with `type` beside an `enum` of texts,
 * with `items` for every list, and with `additionalProperties` in place of the pattern `^.*$`.
 */
function tidy({ allOf, patternProperties, ...schema }: Record<string, unknown>): JsonSchema {
  const parts = Array.isArray(allOf) ? allOf.filter(part => !isObject(part) || Object.keys(part).length > 0) : []
  if (parts.length > 0) schema.allOf = parts
  if (Array.isArray(schema.enum) && schema.type === undefined && schema.enum.every(value => typeof value === 'string'))
    schema.type = 'string'
  if ([schema.type].flat().includes('array')) schema.items ??= {}
  if (!isObject(patternProperties)) return schema
  const isRecord = Object.keys(patternProperties).join() === anyName && schema.additionalProperties === undefined
  return { ...schema, ...(isRecord ? { additionalProperties: patternProperties[anyName] } : { patternProperties }) }
}

/**
 * Returns a schema that can be put anywhere in another document. References are replaced by their targets. Recursive
 * references and those of other documents, identifiers, definitions, `x-` keywords and conditions (`if`), which client
 * generators cannot follow, are left out; `x-corpus` becomes a sentence of the description.
 */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const whole = gatherDefinitions(schema)
  return new Copier(whole, false).copy(whole)
}

/** Returns a plain schema (`plainSchema`) with its recursive references, whose targets are in its `$defs`. */
export function recursiveSchema(schema: JsonSchema): JsonSchema {
  const whole = gatherDefinitions(schema)
  const copier = new Copier(whole, true)
  const copied = copier.copy(whole)
  return copier.kept.size === 0 ? copied : { ...copied, $defs: Object.fromEntries(copier.kept) }
}

export const omit = <T extends object, K extends keyof T>(object: T, name: K): Omit<T, K> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)) as Omit<T, K>

/** Returns the named members of an object schema, whose own schemas are plain (`plainSchema`). */
export function membersOf(
  schema: JsonSchema
): readonly Readonly<{ name: string; schema: JsonSchema; required: boolean }>[] {
  const { required, properties } = plainSchema(schema)
  return Object.entries(isObject(properties) ? properties : {}).map(([name, member]) => ({
    name,
    schema: isObject(member) ? member : {},
    required: Array.isArray(required) && required.includes(name)
  }))
}
