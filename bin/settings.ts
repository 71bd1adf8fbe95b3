import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../core/canonical/json.ts'
import type { SettingsGiven, SettingsSchema } from '../core/database/root-services.ts'
import type { Issue } from '../core/diagnostics/diagnostic.ts'
import { compileSchema } from '../core/schema/compile.ts'
import { coerceText } from '../core/schema/json-schema.ts'
import { UsageError, type Environment, type Variable } from './config.ts'

/** Returns the variable of a setting: `mostLoans` is set by `PANTRY_MOST_LOANS`. */
const variableOf = (key: string): string => `PANTRY_${key.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`

const propertiesOf = (schema: SettingsSchema): readonly (readonly [key: string, schema: JsonSchema])[] =>
  Object.entries(schema.properties as Readonly<Record<string, JsonSchema>>)

/** The settings of a root in the order of declaration. A `writeOnly` one is a secret. */
export const variablesOf = (schema: SettingsSchema): readonly Variable[] =>
  propertiesOf(schema).map(([key, { description = '', default: fallback = 'none', writeOnly }]) => ({
    name: variableOf(key),
    fallback: String(fallback),
    meaning: String(description),
    ...(writeOnly === true ? { secret: true as const } : {})
  }))

const shown = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Returns why a setting is required: because of the settings in the `if` of the schema, which has its `then` require
 * another one.
 */
const reasonOf = (schema: SettingsSchema, values: JsonObject): string => {
  const condition = 'if' in schema && isObject(schema.if) ? schema.if : {}
  const looked = isObject(condition['properties']) ? condition['properties'] : {}
  return Object.keys(looked)
    .map(key => `, because ${variableOf(key)} is ${shown(values[key])}`)
    .join('')
}

/** Returns a sentence that names the variable and never shows the value of a secret. */
function sentenceOf(schema: SettingsSchema, values: JsonObject, issue: Issue): string {
  const key = String(issue.key ?? issue.pointer[0])
  const name = variableOf(key)
  const { writeOnly, examples } = new Map(propertiesOf(schema)).get(key) ?? {}
  if (issue.rule === 'missing') return `${name} must be set${reasonOf(schema, values)}.`
  if (issue.rule === 'unknown-key') return `There is no setting \`${key}\`.`
  if (issue.rule === 'enum')
    return `${name} must be one of ${(issue.allowed ?? []).join(', ')}, but it is \`${shown(values[key])}\`.`
  const sample = Array.isArray(examples) ? `, such as \`${String(examples[0])}\`` : ''
  if (writeOnly === true || issue.rule === 'pattern' || issue.rule === 'format')
    return `${name} does not have the form that it must have${sample}.`
  return issue.message.replaceAll(`\`${key}\``, name)
}

/**
 * Reads the settings of a root: a value in `given` comes before that of the environment, which comes before the
 * default. Throws a UsageError that names the first wrong variable and its allowed values.
 */
export function readSettings(schema: SettingsSchema, env: Environment, given: SettingsGiven = {}): JsonObject {
  const values = Object.fromEntries(
    propertiesOf(schema).flatMap(([key, property]): (readonly [string, JsonValue])[] => {
      const text = env[variableOf(key)]
      const value = given[key] ?? (text === undefined || text === '' ? property['default'] : coerceText(property, text))
      return value === undefined ? [] : [[key, value as JsonValue]]
    })
  )
  const [issue] = compileSchema(schema)(values)
  if (issue !== undefined) throw new UsageError(sentenceOf(schema, values, issue))
  return values
}
