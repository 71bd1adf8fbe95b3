import { isObject, type JsonObject, type JsonValue } from '../../canonical/json.ts'
import type { SlicedWork } from '../../canonical/work.ts'
import { mapSchemas } from '../../schema/map-schemas.ts'
import { countBy, mapValues } from '../pointers.ts'
import { Definitions } from './definitions.ts'
import { declaredName, freeName, pascal } from './names.ts'

/** Returns the singular of a word: `entries` -> `entry`, `matches` -> `match`, `ships` -> `ship`. */
export const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss)es$/, '$1')
    .replace(/(?<![su]|i)s$/, '')

const referenceKeywords = new Set(['$ref', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor'])

/**
 * Leaves out properties whose names are reference keywords, such as `$ref`, because OpenAPI parsers would follow them.
 * The object then allows members that are not named.
 */
function withoutReferenceMembers(schema: JsonObject): JsonObject {
  const { properties, required, additionalProperties, ...rest } = schema
  if (!isObject(properties) || !Object.keys(properties).some(name => referenceKeywords.has(name))) return schema
  const others = ((required ?? []) as readonly string[]).filter(name => !referenceKeywords.has(name))
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !referenceKeywords.has(name))),
    ...(others.length === 0 ? {} : { required: others }),
    additionalProperties: additionalProperties === false ? true : (additionalProperties ?? true)
  }
}

/** Allows any value for members that are not named: generated types of clients cannot type both them and named ones. */
const withUntypedOthers = (schema: JsonObject): JsonObject =>
  isObject(schema.properties) && isObject(schema.additionalProperties)
    ? { ...schema, additionalProperties: true }
    : schema

/** The schema of a request or an answer, and a word for what it describes, such as `feedback`. */
type RootSchema = Readonly<{ schema: JsonObject; word: string }>

/** A place where a schema is used: the name of the member, and the name of the schema that has this member. */
type Use = Readonly<{ member: string; owner: string }>

/**
 * A distinct object schema without its description, which may differ between its uses. In place of an inner object
 * schema, it has the key of that schema.
 */
type ObjectSchema = {
  readonly key: number
  readonly schema: JsonObject
  readonly uses: Use[]
  readonly descriptions: Set<JsonValue | undefined>
  /** Name of its component; only if the schema gives itself a name or is used several times. */
  name?: string
}

/** Name of the member that has the key of an object schema in place of the schema. It is no keyword of schemas. */
const at = '@key'

const objectAt = (objects: readonly ObjectSchema[], { [at]: key }: JsonObject): ObjectSchema | undefined =>
  typeof key === 'number' ? objects[key] : undefined

const isNameable = (schema: JsonObject): boolean =>
  isObject(schema.properties) && (Object.keys(schema.properties).length > 1 || declaredName(schema) !== undefined)

const withDescription = (schema: JsonObject, description: JsonValue | undefined): JsonObject =>
  description === undefined ? schema : { ...schema, description }

/**
 * Returns a function that moves nameable object schemas of a schema to `objects`, inner ones first, each only once. It
 * moves a schema that has the `name` of a component in any case.
 */
function objectExtractor(objects: ObjectSchema[]): (schema: JsonObject, name?: string) => JsonObject {
  const byText = new Map<string, ObjectSchema>()
  const extract = (schema: JsonObject, name?: string): JsonObject => {
    const taken = withUntypedOthers(withoutReferenceMembers(mapSchemas(schema, inner => extract(inner))))
    if (name === undefined && !isNameable(taken)) return taken
    const { description, ...rest } = taken
    const text = JSON.stringify(rest)
    let object = name === undefined ? byText.get(text) : undefined
    if (object === undefined) {
      object = { key: objects.length, schema: rest, uses: [], descriptions: new Set() }
      if (name !== undefined) object.name = name
      objects.push(object)
      byText.set(text, object)
    }
    object.descriptions.add(description)
    return withDescription({ [at]: object.key }, description)
  }
  return extract
}

/**
 * Returns the use of a schema that is at member `name` within the schema of `use`. The member `data` wraps every
 * answer, so its schema is named after the answer.
 */
const innerUse = (name: string | undefined, use: Use, owner: string): Use =>
  name === undefined || name === 'data' ? use : { member: name === '[]' ? singular(use.member) : name, owner }

/** Records the uses of each object schema. The uses within a schema are recorded once, however often it is used. */
function* recordUses(objects: readonly ObjectSchema[], roots: Iterable<RootSchema>): SlicedWork<void> {
  const visit = (schema: JsonObject, use: Use): void => {
    const object = objectAt(objects, schema)
    const owner = object === undefined ? use.owner : (declaredName(object.schema) ?? pascal(use.member))
    object?.uses.push(use)
    if (object === undefined || object.uses.length === 1)
      mapSchemas(object?.schema ?? schema, (part, name) => {
        visit(part, innerUse(name, use, owner))
        return part
      })
  }
  for (const { schema, word } of roots) {
    visit(schema, { member: word, owner: '' })
    yield
  }
}

/** Returns the most frequent member name of some uses, without a trailing number; of several, the shortest. */
const commonMember = (uses: readonly Use[]): string =>
  Object.entries(countBy(uses, ({ member }) => member.replace(/_?\d+$/, ''))).sort(
    ([a, m], [b, n]) => n - m || a.length - b.length || (a < b ? -1 : 1)
  )[0]?.[0] ?? ''

/** Names the schemas that give themselves a name, then those used several times; both begin with the largest. */
function* nameShared(objects: readonly ObjectSchema[], taken: Set<string>): SlicedWork<void> {
  const shared: [weight: number, object: ObjectSchema][] = []
  for (const object of objects) {
    const { schema, uses, name } = object
    if (name !== undefined) continue
    const own = declaredName(schema) === undefined ? 0 : 1e9
    if (uses.length > 1 || own > 0) shared.push([own + JSON.stringify(schema).length * uses.length, object])
    yield
  }
  for (const [, object] of shared.sort(([a], [b]) => b - a)) {
    const name = declaredName(object.schema) ?? pascal(commonMember(object.uses))
    object.name = freeName([name, ...object.uses.map(({ owner }) => owner + name)], taken)
    yield
  }
}

/**
 * Moves recursive schemas, and object schemas that are used several times or give themselves a name, into components;
 * `write` returns a root schema with references to them. The name is their own or that of the member that has them; if
 * it is taken, the name of the owning schema is put in front. An unnamed object with one member stays: a reference
 * would be no shorter.
 */
export function* shareSchemas(
  roots: readonly RootSchema[],
  reserved: readonly string[]
): SlicedWork<Readonly<{ components: JsonObject; write: (schema: JsonObject) => JsonObject }>> {
  const objects: ObjectSchema[] = []
  const extract = objectExtractor(objects)
  const takenNames = new Set(reserved)
  const definitions = new Definitions(takenNames)
  const lifted: Readonly<{ schema: JsonObject; without: JsonObject }>[] = []
  for (const { schema } of roots) {
    lifted.push({ schema, without: definitions.lift(schema) })
    yield
  }
  const defined = [...definitions.components].map(([name, schema]) => ({ schema: extract(schema, name), word: name }))
  const taken = new Map<JsonObject, JsonObject>()
  for (const { schema, without } of lifted) {
    taken.set(schema, extract(without))
    yield
  }
  yield* recordUses(objects, [
    ...roots.map(({ schema, word }) => ({ schema: taken.get(schema) ?? schema, word })),
    ...defined
  ])
  yield* nameShared(objects, takenNames)

  const withReferences = (schema: JsonObject): JsonObject => {
    const object = objectAt(objects, schema)
    if (object === undefined) return mapSchemas(schema, withReferences)
    if (object.name === undefined) return withDescription(mapSchemas(object.schema, withReferences), schema.description)
    const reference = { $ref: `#/components/schemas/${object.name}` }
    return object.descriptions.size === 1 ? reference : withDescription(reference, schema.description)
  }
  const components: [string, JsonObject][] = []
  for (const { name, schema, descriptions } of objects) {
    const [description] = descriptions.size === 1 ? descriptions : []
    if (name !== undefined) components.push([name, withDescription(mapSchemas(schema, withReferences), description)])
    yield
  }
  return {
    components: Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1))),
    write: schema => withReferences(taken.get(schema) ?? schema)
  }
}

type Change = (schema: JsonObject, word: string) => JsonObject

const mapContent = (holder: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject =>
  isObject(holder.content)
    ? {
        ...holder,
        content: mapValues(holder.content, type =>
          isObject(type) && isObject(type.schema) ? { ...type, schema: change(type.schema) } : type
        )
      }
    : holder

function mapOperation(operation: JsonObject, change: Change): JsonObject {
  const { 'x-surface': facts, requestBody, responses } = operation
  const { id } = facts as Readonly<{ id: string }>
  const word = id.replace(/\.\w+$/, '').replace(/^.*\//, '')
  return {
    ...operation,
    ...(isObject(requestBody)
      ? { requestBody: mapContent(requestBody, schema => change(schema, `${word}-request`)) }
      : {}),
    responses: mapValues(responses as Readonly<Record<string, JsonObject>>, response =>
      mapContent(response, schema => change(schema, word))
    )
  }
}

type Paths = Record<string, Readonly<Record<string, JsonObject>>>

export function* sharePaths(
  paths: Readonly<Paths>,
  reserved: readonly string[]
): SlicedWork<Readonly<{ paths: Paths; schemas: JsonObject }>> {
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
  const written: Paths = {}
  for (const [path, operations] of Object.entries(paths)) {
    written[path] = mapValues(operations, operation => mapOperation(operation, write))
    yield
  }
  return { paths: written, schemas: components }
}
