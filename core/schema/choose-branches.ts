import type { SchemaError } from './schema-error.ts'

/**
 * What a branch of a choice says against the choice's value, with places from the value on; none where a branch cannot
 * be checked by itself.
 */
export type CheckBranch = (branch: unknown, choice: SchemaError) => readonly SchemaError[] | undefined

const isChoice = ({ keyword }: SchemaError): boolean => keyword === 'anyOf' || keyword === 'oneOf'

const membersOf = (schema: unknown): readonly string[] =>
  (schema as { required?: string[] } | undefined)?.required ?? []

/** One error in the place of a choice none of whose branches has the value's type. */
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

/** Two branches of `oneOf` that the value passes. */
function several(choice: SchemaError): SchemaError {
  const schemas = choice.parent[choice.keyword] as readonly unknown[]
  const members = ((choice.params['passingSchemas'] as readonly number[] | undefined) ?? []).map(at =>
    membersOf(schemas[at])
  )
  return members.every(names => names.length > 0)
    ? { ...choice, keyword: 'several', params: { members } }
    : { ...choice, keyword: 'choice' }
}

/** What says most of a choice, by what each branch that the value does not pass says. */
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

  // Branches that ask for members: the one that has a part of them, or else any of them.
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
 * A choice reports the errors of every branch, and then itself. Only the branch of the value's own type is what the
 * author meant: its errors stay, the other branches and the choice itself are dropped. So is the note that a condition
 * (`if`) has failed: what its branch found says more. Each branch is checked again by itself, because a reference in an
 * error's path hides which it was.
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
