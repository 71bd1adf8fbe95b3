import { counted, nameOfPlace, quotedList, type Issue, type IssueRule } from '../diagnostics/diagnostic.ts'
import { typeOf } from './acceptor.ts'

/** An error of the validator (ajv). */
export type SchemaError = Readonly<{
  keyword: string
  instancePath: string
  schemaPath: string
  params: Readonly<Record<string, unknown>>
  value: unknown
  /** The schema that contains the failing keyword. */
  parent: Readonly<Record<string, unknown>>
}>

/**
 * Returns the errors of one branch for the value of a choice (`anyOf`, `oneOf`), with paths relative to the value, or
 * `undefined` if the branch cannot be checked alone.
 */
export type CheckBranch = (branch: unknown, choice: SchemaError) => readonly SchemaError[] | undefined

const isChoice = ({ keyword }: SchemaError): boolean => keyword === 'anyOf' || keyword === 'oneOf'

const membersOf = (schema: unknown): readonly string[] =>
  (schema as { required?: string[] } | undefined)?.required ?? []

/**
 * Returns the error for a value that matches several branches of `oneOf`: with the required members of each, if all of
 * them have some.
 */
function several(choice: SchemaError): SchemaError {
  const schemas = choice.parent[choice.keyword] as readonly unknown[]
  const passing = (choice.params['passingSchemas'] as readonly number[] | undefined) ?? []
  const members = passing.map(index => membersOf(schemas[index]))
  return members.every(names => names.length > 0)
    ? { ...choice, keyword: 'several', params: { members } }
    : { ...choice, keyword: 'choice' }
}

/** Returns the most informative errors of a choice, given the errors of each branch. */
function resolve(choice: SchemaError, branches: readonly (readonly SchemaError[])[]): readonly SchemaError[] {
  const isHere = (error: SchemaError): boolean => error.instancePath === choice.instancePath
  const isMisfit = (error: SchemaError): boolean => error.keyword === 'type' && isHere(error)
  const fitting = branches.filter(branch => !branch.some(isMisfit))
  const [only] = fitting
  if (only === undefined) {
    const types = branches.flat().flatMap(error => (isMisfit(error) ? (error.params['type'] as string | string[]) : []))
    return [{ ...choice, keyword: 'type', params: { type: [...new Set(types)] } }]
  }
  if (fitting.length === 1) return only
  const flat = fitting.flat()
  if (flat.every(error => isHere(error) && (error.keyword === 'const' || error.keyword === 'enum'))) {
    const allowedValues = flat.flatMap(({ keyword, params }) =>
      keyword === 'const' ? [params['allowedValue']] : (params['allowedValues'] as unknown[])
    )
    return [{ ...choice, keyword: 'enum', params: { allowedValues } }]
  }
  const isUnknownKey = (error: SchemaError): boolean => error.keyword === 'additionalProperties' && isHere(error)
  const known = fitting.filter(branch => !branch.some(isUnknownKey))
  if (known.length === 1 && known[0] !== undefined) return known[0]

  // If each branch only lacks required members, report those of the single branch of which some are given; else list
  // the members of all branches.
  const lacking = fitting.filter(branch => branch.every(error => error.keyword === 'required' && isHere(error)))
  const begun = lacking.filter(branch => branch.length < membersOf(branch[0]?.parent).length)
  if (begun.length === 1 && begun[0] !== undefined) return begun[0]
  return [
    lacking.length === fitting.length
      ? { ...choice, keyword: 'one', params: { members: lacking.map(branch => membersOf(branch[0]?.parent)) } }
      : { ...choice, keyword: 'choice' }
  ]
}

/**
 * Reduces the errors of choices to the most informative ones: the validator reports the errors of every branch and then
 * the choice itself. The error of `if` is dropped, because the errors of its branch say more. Each branch is checked
 * again alone, because the path of an error hides its branch if there is a reference.
 */
export function chooseBranches(errors: readonly SchemaError[], check: CheckBranch): SchemaError[] {
  const chosen: (readonly SchemaError[])[] = []
  for (let last = errors.length - 1; last >= 0; last -= 1) {
    const error = errors[last]
    if (error === undefined || error.keyword === 'if') continue
    if (!isChoice(error)) {
      chosen.push([error])
      continue
    }
    const branches = (error.parent[error.keyword] as readonly unknown[]).map(branch =>
      check(branch, error)?.map(inner => ({ ...inner, instancePath: error.instancePath + inner.instancePath }))
    )
    const failed = branches.filter(branch => branch?.length !== 0)
    if (failed.includes(undefined)) {
      chosen.push([{ ...error, keyword: 'choice' }])
      continue
    }
    const reduced = failed.map((branch = []) => {
      last -= branch.length
      return chooseBranches(branch, check)
    })
    chosen.push(failed.length < branches.length ? [several(error)] : resolve(error, reduced))
  }
  return chosen.reverse().flat()
}

const rules: Readonly<Record<string, IssueRule>> = {
  additionalProperties: 'unknown-key',
  unevaluatedProperties: 'unknown-key',
  propertyNames: 'pattern',
  required: 'missing',
  dependentRequired: 'missing',
  type: 'type',
  enum: 'enum',
  const: 'const',
  pattern: 'pattern',
  minLength: 'length',
  maxLength: 'length',
  minItems: 'length',
  maxItems: 'length',
  minProperties: 'length',
  maxProperties: 'length',
  minimum: 'range',
  maximum: 'range',
  exclusiveMinimum: 'range',
  exclusiveMaximum: 'range',
  multipleOf: 'range',
  format: 'format',
  uniqueItems: 'unique'
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: '`true` or `false`',
  object: 'a mapping',
  array: 'a list',
  null: '`null`'
}

const formatWords: Readonly<Record<string, string>> = {
  date: 'a date such as `2026-11-20`',
  'date-time': 'a time such as `2026-11-20T08:00:00Z`',
  uri: 'an absolute URI',
  regex: 'a regular expression',
  email: 'an e-mail address'
}

const valueWord = (value: unknown): string => {
  if (typeof value === 'boolean') return 'a boolean'
  return typeWords[Number.isInteger(value) ? 'integer' : typeOf(value)] ?? 'a mapping'
}

const or = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/**
 * Returns the tokens of a JSON pointer (RFC 6901). A token of digits becomes a number, because it is almost always a
 * list position.
 */
const tokensOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map(token => (/^(0|[1-9]\d*)$/.test(token) ? Number(token) : token.replaceAll('~1', '/').replaceAll('~0', '~')))

/** Joins groups of member names, with `and` within a group and `;` between groups. */
const eitherOf = (groups: unknown): string =>
  (groups as readonly string[][]).map(members => quotedList(members, ' and ')).join('; ')

function sentence(error: SchemaError, name: string, key: string): string {
  const { keyword, params, value, parent } = error
  const limit = Number(params['limit'])
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `\`${key}\` is not a known field.`
    case 'required':
    case 'dependentRequired':
      return `\`${key}\` is required.`
    case 'type':
      return `${name} must be ${or([params['type']].flat().map(type => typeWords[String(type)] ?? String(type)))}${boundsOf(error)}, but this is ${valueWord(value)}.`
    case 'enum':
      return `\`${shown(value)}\` is not one of the allowed values for ${name}: ${quotedList((params['allowedValues'] as unknown[]).map(shown))}.`
    case 'const':
      return `${name} must be \`${shown(params['allowedValue'])}\`.`
    case 'pattern':
      if (value === '') return `${name} is empty.`
      return `\`${shown(value)}\` does not have the form of ${name} (\`${shown(params['pattern'])}\`).`
    case 'propertyNames':
      return `\`${shown(key)}\` does not have the form of a name in ${name}.`
    case 'format':
      return `\`${shown(value)}\` is not ${formatWords[String(params['format'])] ?? `a ${String(params['format'])}`}, as ${name} must be.`
    case 'minLength':
      return limit === 1 ? `${name} is empty.` : `${name} is shorter than ${counted(limit, 'character')}.`
    case 'maxLength':
      return `${name} is longer than ${counted(limit, 'character')}.`
    case 'minItems':
    case 'minProperties':
      return `${name} needs at least ${counted(limit, 'member')}.`
    case 'maxItems':
    case 'maxProperties':
      return `${name} may have at most ${counted(limit, 'member')}.`
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return `${name} is ${shown(value)}, but must be ${rangeOf(parent)}.`
    case 'false schema':
      return `${name} does not go with what else is given.`
    case 'uniqueItems':
      return `${name} holds \`${shown(Array.isArray(value) ? value[Number(params['j'])] : value)}\` twice.`
    case 'several':
      return `${name} may have one of these only: ${eitherOf(params['members'])}.`
    case 'one':
      return `${name} needs one of these: ${eitherOf(params['members'])}.`
    default:
      return `${name} does not fit any of the allowed forms.`
  }
}

const rangeWords: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'above',
  exclusiveMaximum: 'below',
  multipleOf: 'a multiple of'
}

function rangeOf(parent: SchemaError['parent']): string {
  const { minimum, maximum } = parent
  if (minimum !== undefined && maximum !== undefined) return `from ${shown(minimum)} to ${shown(maximum)}`
  const bounds = Object.entries(rangeWords).filter(([keyword]) => parent[keyword] !== undefined)
  return bounds.map(([keyword, words]) => `${words} ${shown(parent[keyword])}`).join(' and ')
}

/**
 * Returns a text such as ` from 1 to 5` for a number with two bounds, for messages about a wrong type; else an empty
 * text.
 */
const boundsOf = ({ params, parent }: SchemaError): string =>
  (params['type'] === 'integer' || params['type'] === 'number') &&
  parent['minimum'] !== undefined &&
  parent['maximum'] !== undefined
    ? ` ${rangeOf(parent)}`
    : ''

function allowedBy({ keyword, params, parent }: SchemaError, rule: IssueRule): unknown[] | undefined {
  if (rule === 'unknown-key') return Object.keys((parent['properties'] as object | undefined) ?? {})
  if (rule === 'const') return [params['allowedValue']]
  return keyword === 'type' && params['type'] === 'boolean'
    ? [true, false]
    : (params['allowedValues'] as unknown[] | undefined)
}

export function describeError(error: SchemaError): Issue {
  const rule = rules[error.keyword] ?? 'other'
  const at = tokensOf(error.instancePath)
  const { additionalProperty, unevaluatedProperty, missingProperty, propertyName } = error.params as Readonly<
    Record<string, string | undefined>
  >
  const key = additionalProperty ?? unevaluatedProperty ?? missingProperty ?? propertyName
  const isOwnKey = rule === 'unknown-key' || error.keyword === 'propertyNames'
  const allowed = allowedBy(error, rule)
  const description = error.parent['description']
  return {
    pointer: isOwnKey ? [...at, key ?? ''] : at,
    on: isOwnKey ? 'key' : 'value',
    rule,
    message: sentence(error, nameOfPlace(at), key ?? ''),
    ...(allowed === undefined ? {} : { allowed }),
    ...(key === undefined ? {} : { key }),
    ...(typeof description === 'string' ? { description } : {})
  }
}
