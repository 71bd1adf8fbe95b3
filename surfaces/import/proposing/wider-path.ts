import { languageTag } from '../languages.ts'
import { candidateOf, isAlike, knows, type RowCandidate } from './candidates.ts'
import { setOf } from './map.ts'
import type { FolderReader } from './rows.ts'

/** The files that are read with those of the best candidate, by a path for all of them. */
type WiderPath = Readonly<{
  path: string
  except: readonly string[]
  languages: Readonly<Record<string, string>> | undefined
  ofFile: string
  paths: readonly string[]
}>

const endingOf = (name: string): string => name.split('.').at(-1) ?? ''

/**
 * Widens the path to sibling folders with similar files: to `{lang}` if the folder names are languages, else to
 * `{set}`, or to `*` if the rows already state their set. `undefined` when there are no such folders.
 */
function widened(
  best: RowCandidate,
  similar: readonly RowCandidate[],
  everyPath: readonly string[]
): WiderPath | undefined {
  const parts = best.sample.file.path.split('/')
  for (const index of parts.keys()) {
    if (index === parts.length - 1) break
    const beside = similar.filter(other => {
      const theirs = other.sample.file.path.split('/')
      return (
        theirs.length === parts.length &&
        theirs.every(
          (part, at) =>
            at === index ||
            part === parts[at] ||
            (at === parts.length - 1 && endingOf(part) === endingOf(parts[at] ?? ''))
        )
      )
    })
    const partOf = (at: number): readonly string[] => [
      ...new Set(beside.map(({ sample }) => sample.file.path.split('/')[at] ?? ''))
    ]
    const names = partOf(index)
    if (names.length < 2) continue
    const languages = Object.fromEntries(
      names.map(name => [name, languageTag(name)]).filter(([, tag]) => tag !== undefined)
    ) as Readonly<Record<string, string>>
    const word =
      Object.keys(languages).length === names.length ? '{lang}' : best.found.set_code === undefined ? '{set}' : '*'
    const files = partOf(parts.length - 1)
    const last = files.length === 1 ? (files[0] ?? '') : `*.${endingOf(parts.at(-1) ?? '')}`
    const inFolder = (folder: string, path: string, name: string): string =>
      path
        .split('/')
        .map((part, at) => (at === index ? folder : at === parts.length - 1 ? name : part))
        .join('/')
    const path = inFolder(word, best.sample.file.path, last)
    const paths = beside.flatMap(({ sample }) => sample.paths)
    const matching = everyPath
      .map(other => other.split('/'))
      .filter(
        others =>
          others.length === parts.length &&
          others.every(
            (part, at) =>
              at === index ||
              part === parts[at] ||
              parts[at]?.includes('*') === true ||
              (at === parts.length - 1 && last.includes('*') && endingOf(part) === endingOf(last))
          )
      )
    const strangers = new Set(matching.map(others => others[index] ?? '').filter(name => !names.includes(name)))
    const others = last === parts.at(-1) ? [] : matching.map(one => one.join('/')).filter(one => !paths.includes(one))
    const leftOut = (best.sample.file.except ?? []).map(one => inFolder(word, one, one.split('/').at(-1) ?? ''))
    const except = [
      ...leftOut,
      ...[...strangers].map(name => inFolder(name, path, last)),
      ...others.filter(one => !strangers.has(one.split('/')[index] ?? ''))
    ]
    return {
      path,
      except,
      languages: word === '{lang}' ? languages : undefined,
      ofFile: word === '{set}' ? 'file.set' : 'file.name',
      paths
    }
  }
  return undefined
}

/**
 * Takes the folders of files that are one card each for sets, where the cards do not say theirs: the path is then that
 * of all such folders.
 */
function byFolder({ sample, found }: RowCandidate, everyPath: readonly string[]): WiderPath | undefined {
  const parts = sample.file.path.split('/')
  if (sample.file.single !== true || parts.length < 2 || setOf(sample, found, 'file.name') !== 'file.name')
    return undefined
  const path = [...parts.slice(0, -2), '{set}', parts.at(-1) ?? ''].join('/')
  const isBeside = (other: string): boolean => {
    const others = other.split('/')
    return others.length === parts.length && others.every((part, at) => at >= parts.length - 2 || part === parts[at])
  }
  const ending = (parts.at(-1) ?? '').replace(/^.*\*/, '')
  const paths = everyPath.filter(one => isBeside(one) && one.endsWith(ending))
  return { path, except: sample.file.except ?? [], languages: undefined, ofFile: 'file.set', paths }
}

/** Returns other folders with so few files of one card each that they are not known as such by themselves. */
async function smallFolders(
  looked: FolderReader,
  best: RowCandidate,
  groups: ReadonlyMap<string, readonly string[]>,
  alike: readonly RowCandidate[]
): Promise<readonly RowCandidate[]> {
  const { file, steps } = best.sample
  if (file.single !== true || steps.length > 1) return []
  const known = new Set(alike.map(({ sample }) => sample.file.path))
  const small = [...groups].filter(([pattern, paths]) => paths.length < 3 && !known.has(pattern))
  const read = small.map(([pattern, paths]) =>
    candidateOf(looked, { ...file, path: pattern }, paths, steps).catch(() => undefined)
  )
  return (await Promise.all(read)).filter(one => one !== undefined).filter(one => knows(best, one))
}

/** Returns the path for all files that hold the same as those of the best candidate; `undefined` if it has all. */
export async function widerPath(
  looked: FolderReader,
  best: RowCandidate,
  all: readonly RowCandidate[],
  groups: ReadonlyMap<string, readonly string[]>
): Promise<WiderPath | undefined> {
  const everyPath = [...groups.values()].flat()
  const alike = all.filter(one => isAlike(best, one))
  return (
    widened(best, [...alike, ...(await smallFolders(looked, best, groups, alike))], everyPath) ??
    byFolder(best, everyPath)
  )
}
