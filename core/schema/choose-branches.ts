import type { SchemaError } from './schema-error.ts'

/** The same choice under `anyOf`/`oneOf`: errors of its branches, by branch number. */
function branchesOf (choice: SchemaError, errors: readonly SchemaError[]): Map<string, SchemaError[]> {
  const prefix = `${choice.schemaPath}/`
  const branches = new Map<string, SchemaError[]>()
  for (const error of errors) {
    if (!error.schemaPath.startsWith(prefix) || !error.instancePath.startsWith(choice.instancePath)) continue
    const branch = error.schemaPath.slice(prefix.length).split('/', 1)[0] ?? ''
    branches.set(branch, [...branches.get(branch) ?? [], error])
  }
  return branches
}

/** One error in the place of a choice none of whose branches has the value's type. */
function joinTypes (choice: SchemaError, misfits: readonly SchemaError[]): SchemaError {
  const types = [...new Set(misfits.flatMap(error => error.params['type'] as string | string[]))]
  return { ...choice, keyword: 'type', params: { type: types } }
}

function joinValues (choice: SchemaError, errors: readonly SchemaError[]): SchemaError {
  const allowed = errors.flatMap(({ keyword, params }) => keyword === 'const' ? [params['allowedValue']] : params['allowedValues'] as unknown[])
  return { ...choice, keyword: 'enum', params: { allowedValues: allowed } }
}

/**
 * A choice reports the errors of every branch. Only the branch of the value's own type is what the author meant:
 * its errors stay, the other branches and the choice itself are dropped. So is the note that a condition (`if`) has failed:
 * what its branch found says more.
 */
export function chooseBranches (all: readonly SchemaError[]): SchemaError[] {
  const errors = all.filter(({ keyword }) => keyword !== 'if')
  const choice = errors.find(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  if (choice === undefined) return errors
  const branches = branchesOf(choice, errors)
  const inBranches = new Set([...branches.values()].flat())
  const rest = errors.filter(error => error !== choice && !inBranches.has(error))
  const isMisfit = (error: SchemaError): boolean => error.keyword === 'type' && error.instancePath === choice.instancePath

  const meant = [...branches.values()].filter(branch => !branch.some(isMisfit))
  const [only] = meant
  if (only === undefined) return chooseBranches([...rest, joinTypes(choice, [...inBranches].filter(isMisfit))])
  const flat = meant.flat()
  if (flat.every(({ keyword, instancePath }) => instancePath === choice.instancePath && (keyword === 'const' || keyword === 'enum'))) {
    return chooseBranches([...rest, joinValues(choice, flat)])
  }
  return chooseBranches(meant.length === 1 ? [...rest, ...only] : [...rest, { ...choice, keyword: 'choice' }])
}
