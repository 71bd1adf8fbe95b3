import { isObject, type JsonSchema } from '../canonical/json.ts'
import { plainSchema } from './plain-schema.ts'

/** One member of a schema. `at` is its path, with `[]` for list items and `*` for any name. */
type SchemaRow = Readonly<{ at: string; type: string; required: boolean; description: string }>

/** Maximum number of rows. Further rows are left out; the OpenAPI document has the complete schema. */
const mostRows = 150
const deepest = 6

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const branchesOf = (schema: JsonSchema): JsonSchema[] => {
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap(name => listOf(schema[name])).filter(isObject)
  return branches.length === 0 ? [schema] : branches.flatMap(branchesOf)
}

function typeOf(schema: JsonSchema): string {
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum']))
    return (
      listOf(schema['enum'])
        .slice(0, 8)
        .map(one => JSON.stringify(one))
        .join(', ') + (schema['enum'].length > 8 ? ', …' : '')
    )
  const types = [
    ...new Set(
      branchesOf(schema).flatMap(({ type, format }) =>
        [type]
          .flat()
          .filter(one => typeof one === 'string')
          .map(one => (typeof format === 'string' ? `${one} (${format})` : one))
      )
    )
  ]
  return types.join(' or ') || 'anything'
}

function membersAt(schema: JsonSchema, at: string, depth: number): SchemaRow[] {
  if (depth > deepest) return []
  return branchesOf(schema).flatMap(branch => {
    const { properties, items, additionalProperties } = branch
    const required = new Set(listOf(branch['required']))
    const named = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) =>
      isObject(member) ? rowsAt(member, at === '' ? name : `${at}.${name}`, required.has(name), depth) : []
    )
    const each = isObject(items) ? membersAt(items, `${at}[]`, depth + 1) : []
    const any = isObject(additionalProperties) ? membersAt(additionalProperties, `${at}.*`, depth + 1) : []
    return [...named, ...each, ...any]
  })
}

const rowsAt = (schema: JsonSchema, at: string, required: boolean, depth: number): SchemaRow[] => [
  {
    at,
    type: typeOf(schema),
    required,
    description: typeof schema['description'] === 'string' ? schema['description'] : ''
  },
  ...membersAt(schema, at, depth + 1)
]

/** Returns the members of a schema as table rows, each path once, in the order of the schema. */
export const schemaRows = (schema: JsonSchema): readonly SchemaRow[] =>
  [...new Map(membersAt(plainSchema(schema), '', 0).map(row => [row.at, row])).values()].slice(0, mostRows)
