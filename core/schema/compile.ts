import { createRequire } from 'node:module'
import type * as Formats from 'ajv-formats'
import type * as Ajv from 'ajv/dist/2020.js'
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema } from '../canonical/json.ts'
import type { Issue } from '../diagnostics/diagnostic.ts'
import { acceptorOf, formatNames } from './acceptor.ts'
import { gatherDefinitions } from './definitions.ts'
import { chooseBranches, describeError, type CheckBranch, type SchemaError } from './describe-errors.ts'

export type { Issue }

let validator: Ajv2020 | undefined
const ajv = (): Ajv2020 => (validator ??= createValidator())

const toSchemaError = (error: ErrorObject): SchemaError => ({
  keyword: error.keyword,
  instancePath: error.instancePath,
  schemaPath: error.schemaPath,
  params: error.params,
  value: error.data,
  parent: error.parentSchema ?? {}
})

const compiled = new WeakMap<object, ValidateFunction>()
/** Compiled validators by schema text: compiling is slow, and a reload creates equal schemas again. */
const byText = new Map<string, ValidateFunction>()

function compile(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema)
  const validate = byText.get(text) ?? ajv().compile(schema)
  byText.set(text, validate)
  compiled.set(schema, validate)
  return validate
}

/**
 * Returns a check of one branch of a choice alone, with the definitions of the whole schema and the `type` beside the
 * choice.
 */
const branchOf =
  ({ $defs = {}, definitions = {} }: JsonSchema): CheckBranch =>
  (branch, { parent, value }) => {
    const whole = { $defs, definitions, ...('type' in parent ? { type: parent['type'] } : {}), ...(branch as object) }
    try {
      const validate = compile(whole)
      return validate(value) ? [] : (validate.errors ?? []).map(toSchemaError)
    } catch {
      return undefined
    }
  }

const issuesOf = (errors: readonly ErrorObject[] | null | undefined, schema: JsonSchema): Issue[] =>
  errors == null ? [] : chooseBranches(errors.map(toSchemaError), branchOf(schema)).map(describeError)

const none: readonly Issue[] = []

/**
 * Returns a function that checks a value against a JSON Schema (2020-12) and returns all issues, none for a valid
 * value. The validator is compiled for the first value that the acceptor does not accept; an invalid schema throws then
 * (see `checkSchema`).
 */
export function compileSchema(schema: object): (value: unknown) => readonly Issue[] {
  let whole: JsonSchema | undefined
  let validate: ValidateFunction | undefined
  return value => {
    whole ??= gatherDefinitions(schema as JsonSchema)
    if (acceptorOf(whole)?.(value) === true) return none
    validate ??= compiled.get(whole) ?? compile(whole)
    return validate(value) ? none : issuesOf(validate.errors, whole)
  }
}

/**
 * Returns the path of the first occurrence of a key in a schema, because the validator names an unknown keyword without
 * its place.
 */
function placeOfKey(schema: unknown, key: string): (string | number)[] | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  for (const [name, value] of Object.entries(schema)) {
    const token = Array.isArray(schema) ? Number(name) : name
    if (name === key) return [token]
    const below = placeOfKey(value, key)
    if (below !== undefined) return [token, ...below]
  }
  return undefined
}

/** Checks a JSON Schema against the meta-schema. The pointers of the issues are paths in the schema. */
export function validateSchema(schema: JsonSchema): readonly Issue[] {
  if (acceptorOf(schema) !== undefined) return none
  if (ajv().validateSchema(schema) === true) return none
  // The meta-schema checks the same place in several vocabularies, so only one issue per place is kept.
  const issues = new Map<string, Issue>()
  for (const error of ajv().errors ?? []) {
    if (['if', 'anyOf', 'oneOf'].includes(error.keyword)) continue
    const issue = describeError(toSchemaError(error))
    const place = issue.pointer.join('/')
    if (!issues.has(place)) issues.set(place, issue)
  }
  return [...issues.values()]
}

/**
 * Checks whether values can be checked against a JSON Schema: it is valid, and has no unknown keywords. The pointers of
 * the issues are paths in the schema.
 */
export function checkSchema(schema: JsonSchema): readonly Issue[] {
  if (acceptorOf(schema) !== undefined || compiled.has(schema)) return none
  const issues = validateSchema(schema)
  if (issues.length > 0) return issues
  try {
    compile(gatherDefinitions(schema))
    return none
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const keyword = /unknown keyword: "(.+)"/.exec(text)?.[1]
    const [pointer, message] =
      keyword === undefined
        ? [[], `The schema cannot be used: ${text.replace(/^strict mode: /, '')}.`]
        : [placeOfKey(schema, keyword) ?? [], `\`${keyword}\` is not a keyword of JSON Schema.`]
    const known = keyword === undefined ? {} : { key: keyword, allowed: knownKeywords() }
    return [{ pointer, on: 'key', rule: 'other', message, ...known }]
  }
}

/** The keywords of a schema, those of every day first. */
function knownKeywords(): readonly string[] {
  const known = Object.keys(createValidator().RULES.keywords)
  return [...known.filter(word => !word.startsWith('$')), ...known.filter(word => word.startsWith('$'))]
}

const require = createRequire(import.meta.url)

/** Loads Ajv and creates a validator. Called only when needed: without mistakes the acceptor mostly suffices. */
export function createValidator(): Ajv.Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof Ajv
  const { default: addFormats } = require('ajv-formats') as typeof Formats
  // The keyword `x-corpus` names the corpus whose keys are the allowed values of a text; other code checks that.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    // Inherited members such as `toString` are not members of `{}`.
    ownProperties: true,
    verbose: true,
    keywords: ['x-corpus']
  })
  addFormats.default(ajv, [...formatNames])
  return ajv
}
