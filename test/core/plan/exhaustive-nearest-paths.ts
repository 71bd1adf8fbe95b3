/**
 * The rules of suggestions written plainly: every declared path is compared. `core/plan/suggest.ts` finds the
 * same without that.
 */
import { editDistance } from '../../../core/diagnostics/suggest.ts'

const longestPath = 200
const mostAnswers = 3
const mostEdits = 4
const longestDeclared = 16
/** What a segment that was left out counts for, in edits. */
const leftOutCost = 2

/** A slash at the end makes no segment. */
const segmentsOf = (path: string): string[] => (path.endsWith('/') ? path.slice(0, -1) : path).split('/')

const isPlaceholder = (segment: string | undefined): boolean => segment?.startsWith('{') === true

/**
 * Whether a caller may have left a segment out: a folder before another word, or the placeholder at the end. A word
 * before a placeholder is not, because what is left would fit anything.
 */
const omissible = (declared: readonly string[], at: number): boolean =>
  at > 0 &&
  (isPlaceholder(declared[at])
    ? at === declared.length - 1
    : at < declared.length - 1 && !isPlaceholder(declared[at + 1]))

/** Edits that make a path fit a declared one, from which one segment may have been left out. */
function editsTo(declared: readonly string[], segments: readonly string[]): number | undefined {
  if (declared.length === segments.length) return editsAlong(declared, segments, 0)
  if (declared.length !== segments.length + 1 || declared.length > longestDeclared) return undefined
  const costs = declared.flatMap((_, at) =>
    omissible(declared, at) ? (editsAlong(declared.toSpliced(at, 1), segments, leftOutCost) ?? []) : []
  )
  return costs.length === 0 ? undefined : Math.min(...costs)
}

/** Edits segment by segment; a placeholder takes any segment. `undefined` when a segment is too different. */
function editsAlong(declared: readonly string[], segments: readonly string[], before: number): number | undefined {
  let total = before
  for (const [index, segment] of segments.entries()) {
    const wanted = (declared[index] ?? '').toLowerCase()
    if (segment === wanted || (isPlaceholder(wanted) && segment !== '')) continue
    // In a short word every letter counts: one edit in three letters at most.
    const limit = Math.min(mostEdits - total, Math.ceil(wanted.length / 3))
    const found = editDistance(segment, wanted, limit)
    if (found > limit) return undefined
    total += found
  }
  return total
}

/** Up to three declared paths that a path may have meant, nearest first. */
export function exhaustiveNearestPaths(path: string, declared: readonly string[]): string[] {
  const segments = segmentsOf(path.slice(0, longestPath).toLowerCase())
  const near: { path: string; cost: number }[] = []
  for (const candidate of declared) {
    const cost = editsTo(segmentsOf(candidate), segments)
    if (cost !== undefined) near.push({ path: candidate, cost })
  }
  return near
    .sort((a, b) => a.cost - b.cost)
    .slice(0, mostAnswers)
    .map(candidate => candidate.path)
}
