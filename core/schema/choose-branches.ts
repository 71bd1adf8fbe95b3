import type { SchemaError } from './schema-error.ts'

/**
 * Returns the errors of one branch for the value of a choice (`anyOf`, `oneOf`), with paths relative to the value;
 * `undefined` if the branch cannot be checked alone.
 */
export type CheckBranch = (branch: unknown, choice: SchemaError) => readonly SchemaError[] | undefined

const isChoice = ({ keyword }: SchemaError): boolean => keyword === 'anyOf' || keyword === 'oneOf'

const membersOf = (schema: unknown): readonly string[] =>
  (schema as { required?: string[] } | undefined)?.required ?? []

/** Returns one type error for a choice none of whose branches has the value's type. */
function joinTypes(choice: SchemaError, misfits: readonly SchemaError[]): SchemaError {
  const types = [...new Set(misfits.flatMap(error => error.params['type'] as string | string[]))]
  return { ...choice, keyword: 'type', params: { type: types } }
}

function joinValues(choice: SchemaError, errors: readonly SchemaError[]): SchemaError {
  const allowed = errors.flatMap(({ keyword, params }) =>
    keyword === 'const' ? [params['allowedValue']] : (params['allowedValues'] as unknown[])
  )
  return { ...choice, keyword: 'enum', params: { allowedValues: allowed } }
}

/** Returns the error for a value that matches several branches of `oneOf`. */
function several(choice: SchemaError): SchemaError {
  const schemas = choice.parent[choice.keyword] as readonly unknown[]
  const members = ((choice.params['passingSchemas'] as readonly number[] | undefined) ?? []).map(at =>
    membersOf(schemas[at])
  )
  return members.every(names => names.length > 0)
    ? { ...choice, keyword: 'several', params: { members } }
    : { ...choice, keyword: 'choice' }
}

/** Returns the most informative errors of a choice, given the errors of each branch that the value does not match. */
function resolve(choice: SchemaError, branches: readonly (readonly SchemaError[])[]): readonly SchemaError[] {
  const isHere = (error: SchemaError): boolean => error.instancePath === choice.instancePath
  const isMisfit = (error: SchemaError): boolean => error.keyword === 'type' && isHere(error)
  const meant = branches.filter(branch => !branch.some(isMisfit))
  const [only] = meant
  if (only === undefined) return [joinTypes(choice, branches.flat().filter(isMisfit))]
  if (meant.length === 1) return only
  const flat = meant.flat()
  if (flat.every(error => isHere(error) && (error.keyword === 'const' || error.keyword === 'enum')))
    return [joinValues(choice, flat)]
  const known = meant.filter(branch => !branch.some(error => error.keyword === 'additionalProperties' && isHere(error)))
  if (known.length === 1 && known[0] !== undefined) return known[0]

  // If branches only lack members, chooses the one of whose members some are present; if there is no such single
  // branch, the error lists the members of all.
  const asking = meant.filter(branch => branch.every(error => error.keyword === 'required' && isHere(error)))
  const begun = asking.filter(branch => branch.length < membersOf(branch[0]?.parent).length)
  if (begun.length === 1 && begun[0] !== undefined) return begun[0]
  return [
    asking.length === meant.length
      ? { ...choice, keyword: 'one', params: { members: asking.map(branch => membersOf(branch[0]?.parent)) } }
      : { ...choice, keyword: 'choice' }
  ]
}

/**
 * Reduces the errors of choices. The validator reports the errors of every branch and then the choice itself. Usually
 * only the branch of the value's own type was meant: its errors are kept, the others and the choice are dropped. The
 * error of `if` is dropped too, because the errors of its branch say more. Each branch is checked again alone, because
 * the path of an error hides its branch if there is a reference.
 */
export function chooseBranches(errors: readonly SchemaError[], check: CheckBranch): SchemaError[] {
  const chosen: SchemaError[][] = []
  for (let last = errors.length - 1; last >= 0; last -= 1) {
    const error = errors[last]
    if (error === undefined || error.keyword === 'if') continue
    if (!isChoice(error)) {
      chosen.push([error])
      continue
    }
    const within = (inner: SchemaError): SchemaError => ({
      ...inner,
      instancePath: error.instancePath + inner.instancePath
    })
    const branches = (error.parent[error.keyword] as readonly unknown[]).map(branch =>
      check(branch, error)?.map(within)
    )
    if (branches.includes(undefined)) {
      chosen.push([{ ...error, keyword: 'choice' }])
      continue
    }
    const failed = branches.filter(branch => branch !== undefined && branch.length > 0) as SchemaError[][]
    last -= failed.flat().length
    chosen.push(
      failed.length < branches.length
        ? [several(error)]
        : [
            ...resolve(
              error,
              failed.map(branch => chooseBranches(branch, check))
            )
          ]
    )
  }
  return chosen.reverse().flat()
}
