import { isObject, type JsonObject, type JsonValue } from '../../canonical/json.ts'
import type { Sliced } from '../../canonical/slices.ts'
import { declaredName, freeName, pascal, singular } from './schema-names.ts'
import { mapSchemas, withoutFollowedMembers, withUntypedOthers } from './sub-schemas.ts'

/** A top-level schema of a document, and a word for what it describes, such as `feedback`. */
export type RootSchema = Readonly<{ schema: JsonObject; word: string }>

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
