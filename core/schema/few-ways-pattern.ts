import { parsePattern, type PatternTree } from './pattern-tree.ts'

/** The maximum number of ways to match a part, and the maximum number of characters that it matches. */
type Ways = Readonly<{ ways: number; length: number }>

const mostSteps = 1000

function waysOf(tree: PatternTree): Ways {
  if (tree.kind === 'chars') return { ways: 1, length: 1 }
  if (tree.kind === 'repeat') return repeated(waysOf(tree.part), tree.minimum, tree.maximum)
  const parts = tree.parts.map(waysOf)
  return tree.kind === 'choice'
    ? { ways: parts.reduce((sum, { ways }) => sum + ways, 0), length: Math.max(...parts.map(({ length }) => length)) }
    : {
        ways: parts.reduce((product, { ways }) => product * ways, 1),
        length: parts.reduce((sum, { length }) => sum + length, 0)
      }
}

function repeated({ ways, length }: Ways, minimum: number, maximum: number): Ways {
  if (maximum > mostSteps) return { ways: Infinity, length: Infinity }
  let sum = 0
  for (let count = minimum; count <= maximum; count++) sum += ways ** count
  return { ways: sum, length: length * maximum }
}

/**
 * Whether a pattern has no unlimited repeat and so few ways to match that an engine tries all of them from one position
 * of a text in at most 1000 steps.
 */
export function hasFewWays(pattern: string): boolean {
  const parsed = parsePattern(pattern)
  if (parsed === undefined) return false
  const { ways, length } = waysOf(parsed.tree)
  return ways * Math.max(length, 1) <= mostSteps
}
