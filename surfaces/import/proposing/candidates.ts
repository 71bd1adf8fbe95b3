import type { SourceFile } from '../source.ts'
import { waysToRead } from './propose-files.ts'
import { findFields, type Found } from './propose-map.ts'
import { deeperSteps, outermostOf, sampleOf, type Looked, type Sample, type Steps } from './propose-rows.ts'

/** Rows of files, and how much they look like cards. */
export type Candidate = Readonly<{ sample: Sample; found: Found; strength: number }>

const mostAlike = 60
const mostLoops = 4

export async function candidateOf(
  looked: Looked,
  file: SourceFile,
  paths: readonly string[],
  steps: Steps,
  most?: number
): Promise<Candidate> {
  const sample = await sampleOf(looked, file, paths, steps, most)
  return { sample, ...findFields(sample) }
}

/** More rows tell more, but less than what is in them. */
export const weightOf = ({ sample: { texts, fields, paths, file }, strength }: Candidate): number =>
  fields.length < 2
    ? 0
    : strength + Math.log10(texts.length * Math.max(1, file.single === true ? 1 : paths.length / 8) + 1)

/** The one that looks more like cards; of two that look the same, the one with more fields. */
export function better(one: Candidate | undefined, other: Candidate): Candidate {
  if (one === undefined) return other
  const more = weightOf(other) - weightOf(one)
  return more > 0 || (more === 0 && other.sample.fields.length > one.sample.fields.length) ? other : one
}

/** Goes into the lists within rows as long as what comes out looks more like cards. */
async function deepest(looked: Looked, start: Candidate): Promise<Candidate> {
  let best = start
  for (let loops = 1; loops < mostLoops; loops++) {
    const inner = await Promise.all(
      deeperSteps(best.sample).map(steps => candidateOf(looked, best.sample.file, best.sample.paths, steps))
    )
    const next = inner.reduce<Candidate | undefined>(
      (one, other) => (other.sample.texts.length === 0 ? one : better(one, other)),
      undefined
    )
    // A loop that has its own number, set or language makes printings of a card.
    if (next === undefined || next.strength <= best.strength) return best
    best = next
  }
  return best
}

/** How the rows of some files are read best. */
async function readBest(looked: Looked, paths: readonly string[], path: string): Promise<Candidate | undefined> {
  let best: Candidate | undefined
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
    // A file that cannot be read as what its ending says is not one that is looked for.
    return best
  }
}

/** Whether the members of a document have names instead of positions. */
async function hasNames(looked: Looked, file: SourceFile): Promise<boolean> {
  const { scopes } = await sampleOf(looked, file, [file.path], [{ as: 'card', key: 'card_key' }])
  return scopes.some(({ card_key: key }) => typeof key === 'string')
}

/** Whether most fields of one are fields of the other: files of cards are not files of sets. */
export function isAlike({ sample: one }: Candidate, { sample: other }: Candidate): boolean {
  const paths = new Set(one.fields.map(({ path }) => path))
  return other.fields.filter(({ path }) => paths.has(path)).length * 2 > Math.max(paths.size, other.fields.length)
}

/**
 * Whether the rows of one are those of the other again, told more shortly: what tells rows apart there, and their
 * names, are the same.
 */
function tellsAgain({ sample: one, found }: Candidate, { sample: other }: Candidate): boolean {
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

/** The best of the files of one folder: one of them, or all that are alike, without the others. */
export async function bestOfGroup(
  looked: Looked,
  pattern: string,
  paths: readonly string[]
): Promise<Readonly<{ best: Candidate | undefined; singles: readonly Candidate[] }>> {
  const some = paths.slice(0, mostAlike)
  const singles = (await Promise.all(some.map(path => readBest(looked, [path], path)))).filter(one => one !== undefined)
  const whole = paths.length < 3 ? undefined : await readBest(looked, paths, pattern)
  const best = [...singles, ...(whole?.sample.file.single === true ? [whole] : [])].reduce<Candidate | undefined>(
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
