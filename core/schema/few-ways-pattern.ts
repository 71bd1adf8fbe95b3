import { parsePattern, type PatternTree } from './pattern-tree.ts'

/** In how many ways a part can be matched at most, and how many characters the longest of them takes. */
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
 * Whether a pattern has no repeat without an end, and so few ways to be matched that an engine tries all of them at
 * each character of a text in 1000 steps.
 */
export function hasFewWays(pattern: string): boolean {
  const parsed = parsePattern(pattern)
  if (parsed === undefined) return false
  const { ways, length } = waysOf(parsed.tree)
  return ways * Math.max(length, 1) <= mostSteps
}
