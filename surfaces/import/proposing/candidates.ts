import type { FileOfSource } from '../source.ts'
import { waysToRead } from './propose-files.ts'
import { findFields, type FoundFields } from './propose-map.ts'
import { deeperSteps, outermostOf, sampleOf, type Looked, type Sample, type RowSteps } from './propose-rows.ts'

/**
 * Rows read from files in one way, with the card fields found in them; a higher `strength` means that they are more
 * likely cards.
 */
export type RowCandidate = Readonly<{ sample: Sample; found: FoundFields; strength: number }>

const mostAlike = 60
const mostLoops = 4

export async function candidateOf(
  looked: Looked,
  file: FileOfSource,
  paths: readonly string[],
  steps: RowSteps,
  most?: number
): Promise<RowCandidate> {
  const sample = await sampleOf(looked, file, paths, steps, most)
  return { sample, ...findFields(sample) }
}

/** Returns how likely the rows are cards: their `strength`, plus a smaller bonus that grows with the number of rows. */
export const weightOf = ({ sample: { texts, fields, paths, file }, strength }: RowCandidate): number =>
  fields.length < 2
    ? 0
    : strength + Math.log10(texts.length * Math.max(1, file.single === true ? 1 : paths.length / 8) + 1)

/** Returns the candidate with the higher weight; with equal weights, the one with more fields. */
export function better(one: RowCandidate | undefined, other: RowCandidate): RowCandidate {
  if (one === undefined) return other
  const more = weightOf(other) - weightOf(one)
  return more > 0 || (more === 0 && other.sample.fields.length > one.sample.fields.length) ? other : one
}

/**
 * Adds loops over lists nested in the rows, one at a time, for as long as each raises the strength of the candidate.
 */
async function deepest(looked: Looked, start: RowCandidate): Promise<RowCandidate> {
  let best = start
  for (let loops = 1; loops < mostLoops; loops++) {
    const inner = await Promise.all(
      deeperSteps(best.sample).map(steps => candidateOf(looked, best.sample.file, best.sample.paths, steps))
    )
    const next = inner.reduce<RowCandidate | undefined>(
      (one, other) => (other.sample.texts.length === 0 ? one : better(one, other)),
      undefined
    )
    // Only an inner loop that has a number, set or language of its own turns a card into several printings.
    if (next === undefined || next.strength <= best.strength) return best
    best = next
  }
  return best
}

/** Tries every way to read the given files and every depth of loops, and returns the best candidate. */
async function readBest(looked: Looked, paths: readonly string[], path: string): Promise<RowCandidate | undefined> {
  let best: RowCandidate | undefined
  try {
    for (const way of await waysToRead(looked, paths[0] ?? '')) {
      if (way.single === true && paths.length < 3) continue
      const file = { ...way, path }
      const keyed = way.single !== true && file.shape !== 'table'
      const start = await candidateOf(looked, file, paths, [
        outermostOf(keyed && (await hasNames(looked, way)) ? 'object' : 'list')
      ])
      best = better(best, await deepest(looked, start))
    }
    return best
  } catch {
    // The file cannot be parsed as the format that its extension names, so it holds no rows.
    return best
  }
}

/** Whether the top level of a document is an object with named members instead of a list. */
async function hasNames(looked: Looked, file: FileOfSource): Promise<boolean> {
  const { scopes } = await sampleOf(looked, file, [file.path], [{ as: 'card', key: 'card_key' }])
  return scopes.some(({ card_key: key }) => typeof key === 'string')
}

/** Whether two candidates share most of their fields. This keeps files of cards and files of sets apart. */
export function isAlike({ sample: one }: RowCandidate, { sample: other }: RowCandidate): boolean {
  const paths = new Set(one.fields.map(({ path }) => path))
  return other.fields.filter(({ path }) => paths.has(path)).length * 2 > Math.max(paths.size, other.fields.length)
}

/**
 * Whether `other` repeats rows of `one` with less detail: the fields that are unique per row in `one`, and the names,
 * have the same values in both.
 */
function tellsAgain({ sample: one, found }: RowCandidate, { sample: other }: RowCandidate): boolean {
  const valuesOf = ({ texts }: Sample, path: string): readonly string[] => texts.flatMap(row => row.get(path) ?? [])
  const keys = one.fields
    .filter(({ distinct, rows }) => rows > 1 && distinct === rows)
    .map(({ path }) => path)
    .filter(path => other.fields.some(field => field.path === path))
  return (
    found.name !== undefined &&
    keys.some(path => path !== found.name) &&
    [...keys, found.name].every(path => {
      const known = new Set(valuesOf(one, path))
      const values = valuesOf(other, path)
      return values.filter(value => known.has(value)).length >= values.length * 0.8
    })
  )
}

/**
 * Returns the best candidate among the files of one folder: one file, or all files with the same fields read together,
 * except the others.
 */
export async function bestOfGroup(
  looked: Looked,
  pattern: string,
  paths: readonly string[]
): Promise<Readonly<{ best: RowCandidate | undefined; singles: readonly RowCandidate[] }>> {
  const some = paths.slice(0, mostAlike)
  const singles = (await Promise.all(some.map(path => readBest(looked, [path], path)))).filter(one => one !== undefined)
  const whole = paths.length < 3 ? undefined : await readBest(looked, paths, pattern)
  const best = [...singles, ...(whole?.sample.file.single === true ? [whole] : [])].reduce<RowCandidate | undefined>(
    better,
    undefined
  )
  if (best === undefined || best === whole || paths.length === 1) return { best, singles }
  const { file, steps } = best.sample
  const isOneOfThem = async (path: string): Promise<boolean> => {
    const other = await candidateOf(looked, { ...file, path }, [path], steps).catch(() => best)
    return isAlike(best, other) && (best.sample.paths[0] === path || !tellsAgain(best, other))
  }
  const same = await Promise.all(some.map(async path => ({ path, isSame: await isOneOfThem(path) })))
  const others = same.filter(({ isSame }) => !isSame).map(({ path }) => path)
  const alike = paths.filter(path => !others.includes(path))
  if (alike.length < 2 || others.length > alike.length) return { best, singles }
  const together = await candidateOf(
    looked,
    { ...file, path: pattern, ...(others.length === 0 ? {} : { except: others }) },
    alike,
    steps
  )
  return { best: together, singles }
}
