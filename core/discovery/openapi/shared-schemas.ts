import { isObject, type JsonObject, type JsonValue } from '../../canonical/json.ts'
import type { Sliced } from '../../canonical/work.ts'

/** Converts to PascalCase: `reading_list` -> `ReadingList`. */
const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter(word => word !== '')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Returns the singular of a word: `entries` -> `entry`, `matches` -> `match`, `ships` -> `ship`. */
export const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss)es$/, '$1')
    .replace(/(?<![su]|i)s$/, '')

/** Returns the name that a schema gives itself: its `title`, or the constant `@kind` of its documents. */
function declaredName({ title, properties }: JsonObject): string | undefined {
  if (typeof title === 'string') return pascal(title)
  const kind = isObject(properties) ? properties['@kind'] : undefined
  return isObject(kind) && typeof kind.const === 'string' ? pascal(kind.const) : undefined
}

/** Returns the first free name and reserves it; if none is free, a number is added to the last one. */
function freeName(wanted: readonly string[], taken: Set<string>): string {
  const last = wanted.at(-1) ?? 'Schema'
  let name = wanted.find(one => !taken.has(one))
  for (let number = 2; name === undefined; number += 1) if (!taken.has(`${last}${number}`)) name = `${last}${number}`
  taken.add(name)
  return name
}

const single = new Set(['items', 'additionalProperties', 'contains', 'not', 'propertyNames', 'unevaluatedProperties'])
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/**
 * Returns a schema with each direct inner schema replaced. `change` gets the inner schema and the name of its property,
 * `[]` for list items and unnamed members, or `undefined` for an alternative of the schema itself.
 */
function mapSchemas(
  schema: JsonObject,
  change: (inner: JsonObject, member: string | undefined) => JsonValue
): JsonObject {
  const one = (inner: JsonValue, member: string | undefined): JsonValue =>
    isObject(inner) ? change(inner, member) : inner
  const mapped: Record<string, JsonValue> = {}
  for (const [keyword, value] of Object.entries(schema))
    if (single.has(keyword)) mapped[keyword] = one(value, '[]')
    else if (lists.has(keyword) && Array.isArray(value))
      mapped[keyword] = (value as JsonValue[]).map(inner => one(inner, undefined))
    else if (maps.has(keyword) && isObject(value))
      mapped[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, one(inner, keyword === 'properties' ? name : '[]')])
      )
    else mapped[keyword] = value
  return mapped
}

const followed = new Set(['$ref', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor'])

/**
 * Removes members named like reference keywords (such as `$ref`) from an object schema, because OpenAPI parsers would
 * follow them. The object may still have such members.
 */
function withoutFollowedMembers(schema: JsonObject): JsonObject {
  const { properties, required, additionalProperties, ...rest } = schema
  if (!isObject(properties) || !Object.keys(properties).some(name => followed.has(name))) return schema
  const others = Array.isArray(required)
    ? (required as JsonValue[]).filter(name => typeof name === 'string' && !followed.has(name))
    : []
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !followed.has(name))),
    ...(others.length === 0 ? {} : { required: others }),
    additionalProperties:
      additionalProperties === undefined || additionalProperties === false ? true : additionalProperties
  }
}

/**
 * Allows any value for additional members of an object that also has named members, because generated client types
 * cannot express both.
 */
const withUntypedOthers = (schema: JsonObject): JsonObject =>
  isObject(schema.properties) && isObject(schema.additionalProperties)
    ? { ...schema, additionalProperties: true }
    : schema

/** A top-level schema of a document, and a word for what it describes, such as `feedback`. */
type RootSchema = Readonly<{ schema: JsonObject; word: string }>

/** A place where a schema is used: the member that holds it, and the name of the schema that this member belongs to. */
type Use = Readonly<{ member: string; owner: string }>

/** One object schema without its description, which may differ between its uses. Inner schemas are replaced by keys. */
type Known = Readonly<{ key: number; schema: JsonObject; uses: Use[]; descriptions: Set<JsonValue | undefined> }>

type SharedSchemas = Readonly<{
  /** The named schemas, sorted. */
  components: JsonObject
  /** Returns a root schema with references to the named schemas. */
  write: (schema: JsonObject) => JsonObject
}>

type AllKnown = Readonly<{ byText: Map<string, Known>; list: Known[] }>

/** Member that holds the key of a known schema in place of the schema; no schema has a keyword of this name. */
const at = '@key'

const knownAt = ({ list }: AllKnown, { [at]: key }: JsonObject): Known | undefined =>
  typeof key === 'number' ? list[key] : undefined

const isNameable = (schema: JsonObject): boolean =>
  isObject(schema.properties) && (Object.keys(schema.properties).length > 1 || declaredName(schema) !== undefined)

/** Returns the use of an inner schema. `data` wraps every answer, so its content is named after the answer. */
const inner = (name: string | undefined, { member, owner }: Use, own: string): Use =>
  name === undefined || name === 'data'
    ? { member, owner }
    : { member: name === '[]' ? singular(member) : name, owner: own }

/** Returns a function that splits schemas into known object schemas, from the inside out; equal ones become one. */
function takeApart({ byText, list }: AllKnown): (schema: JsonObject) => JsonObject {
  const take = (schema: JsonObject): JsonObject => {
    const taken = withUntypedOthers(withoutFollowedMembers(mapSchemas(schema, take)))
    if (!isNameable(taken)) return taken
    const { description, ...rest } = taken
    const text = JSON.stringify(rest)
    const found = byText.get(text) ?? { key: list.length, schema: rest, uses: [], descriptions: new Set() }
    if (found.key === list.length) list.push(found)
    byText.set(text, found)
    found.descriptions.add(description)
    return { [at]: found.key, ...(description === undefined ? {} : { description }) }
  }
  return take
}

/**
 * Records each use of each known schema. The inner schemas of a known schema count as used once, however often it is
 * used.
 */
function* noteUses(known: AllKnown, roots: Iterable<RootSchema>): Sliced<void> {
  const visit = (schema: JsonObject, use: Use): void => {
    const found = knownAt(known, schema)
    const own = found === undefined ? use.owner : (declaredName(found.schema) ?? pascal(use.member))
    found?.uses.push(use)
    if (found === undefined || found.uses.length === 1)
      mapSchemas(found?.schema ?? schema, (part, name) => {
        visit(part, inner(name, use, own))
        return part
      })
  }
  for (const { schema, word } of roots) {
    visit(schema, { member: word, owner: '' })
    yield
  }
}

/** Returns the member name that most often holds the schema, without a trailing number; of several, the shortest. */
function commonMember(uses: readonly Use[]): string {
  const counts = new Map<string, number>()
  for (const member of uses.map(use => use.member.replace(/_?\d+$/, '')))
    counts.set(member, (counts.get(member) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || a.length - b.length || (a < b ? -1 : 1))[0]?.[0] ?? ''
}

/** Names the schemas that give themselves a name, then those that are used several times, the largest first. */
function* nameAll(known: readonly Known[], reserved: readonly string[]): Sliced<ReadonlyMap<number, string>> {
  const taken = new Set(reserved)
  const weights = new Map<number, number>()
  for (const { key, uses, schema } of known) {
    weights.set(key, (declaredName(schema) === undefined ? 0 : 1e9) + JSON.stringify(schema).length * uses.length)
    yield
  }
  const weight = ({ key }: Known): number => weights.get(key) ?? 0
  const names = new Map<number, string>()
  for (const { key, schema, uses } of known
    .filter(({ schema, uses }) => uses.length > 1 || declaredName(schema) !== undefined)
    .sort((a, b) => weight(b) - weight(a))) {
    const name = declaredName(schema) ?? pascal(commonMember(uses))
    names.set(key, freeName([name, ...uses.map(({ owner }) => owner + name)], taken))
    yield
  }
  return names
}

/**
 * Moves equal object schemas of a document into named components. The name is the one that the schema gives itself, or
 * the member that holds it; on a conflict, the name of the owning schema is put in front. Objects with one member and
 * no name of their own stay in place, because a reference would be no shorter.
 */
export function* shareSchemas(roots: readonly RootSchema[], reserved: readonly string[]): Sliced<SharedSchemas> {
  const known: AllKnown = { byText: new Map(), list: [] }
  const take = takeApart(known)
  const taken = new Map<JsonObject, JsonObject>()
  for (const { schema } of roots) {
    taken.set(schema, take(schema))
    yield
  }
  yield* noteUses(
    known,
    roots.map(({ schema, word }) => ({ schema: taken.get(schema) ?? schema, word }))
  )
  const names = yield* nameAll(known.list, reserved)

  const put = (schema: JsonObject): JsonObject => {
    const found = knownAt(known, schema)
    if (found === undefined) return mapSchemas(schema, put)
    const { description } = schema
    const name = names.get(found.key)
    if (name === undefined)
      return { ...mapSchemas(found.schema, put), ...(description === undefined ? {} : { description }) }
    const isSaid = description === undefined || found.descriptions.size === 1
    return { $ref: `#/components/schemas/${name}`, ...(isSaid ? {} : { description }) }
  }
  const components: [string, JsonObject][] = []
  for (const { key, schema, descriptions } of known.list) {
    const [name, [description]] = [names.get(key), descriptions]
    const said = description === undefined || descriptions.size > 1 ? {} : { description }
    if (name !== undefined) components.push([name, { ...mapSchemas(schema, put), ...said }])
    yield
  }
  return {
    components: Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1))),
    write: schema => put(taken.get(schema) ?? schema)
  }
}

type Change = (schema: JsonObject, word: string) => JsonObject

const mapMembers = (
  object: JsonValue | undefined,
  change: (member: JsonObject) => JsonObject
): Record<string, JsonObject> =>
  isObject(object)
    ? Object.fromEntries(
        Object.entries(object).flatMap(([name, member]) => (isObject(member) ? [[name, change(member)]] : []))
      )
    : {}

const mapContent = (holder: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject =>
  holder.content === undefined
    ? holder
    : {
        ...holder,
        content: mapMembers(holder.content, type =>
          isObject(type.schema) ? { ...type, schema: change(type.schema) } : type
        )
      }

/** Replaces the schemas of an operation's request body and responses. */
function mapOperation(operation: JsonObject, change: Change): JsonObject {
  const facts = operation['x-surface']
  const id = isObject(facts) && typeof facts.id === 'string' ? facts.id : ''
  const word =
    id
      .replace(/\.\w+$/, '')
      .split('/')
      .at(-1) ?? ''
  return {
    ...operation,
    ...(isObject(operation.requestBody)
      ? { requestBody: mapContent(operation.requestBody, schema => change(schema, `${word}-request`)) }
      : {}),
    responses: mapMembers(operation.responses, response => mapContent(response, schema => change(schema, word)))
  }
}

type Paths = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>

/** Replaces schemas that occur several times in the paths with references, and returns the paths and these schemas. */
export function* sharePaths(
  paths: Paths,
  reserved: readonly string[]
): Sliced<Readonly<{ paths: Record<string, Record<string, JsonObject>>; schemas: JsonObject }>> {
  const roots: RootSchema[] = []
  const note: Change = (schema, word) => {
    roots.push({ schema, word })
    return schema
  }
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations)) mapOperation(operation, note)
    yield
  }
  const { components, write } = yield* shareSchemas(roots, reserved)
  const written: Record<string, Record<string, JsonObject>> = {}
  for (const [path, operations] of Object.entries(paths)) {
    written[path] = mapMembers(operations, operation => mapOperation(operation, write))
    yield
  }
  return { paths: written, schemas: components }
}
