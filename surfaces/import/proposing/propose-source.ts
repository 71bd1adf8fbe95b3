import type { JsonObject } from 'pantry/data'
import { better, bestOfGroup, candidateOf, isAlike, weightOf, type RowCandidate } from './candidates.ts'
import { languageTag } from './language-tag.ts'
import { groupsOf } from './propose-files.ts'
import { mapOf, setOf } from './propose-map.ts'
import { lookAt, rowsLooked, type FieldSeen } from './propose-rows.ts'
import { besideOf } from './propose-tables.ts'

/** The proposed reader for a folder, the fields of its rows, and the languages of its printings. */
export type Proposal = Readonly<{ reader: JsonObject; fields: readonly FieldSeen[]; languages: readonly string[] }>

/**
 * Widens the path to sibling folders with similar files: to `{lang}` if the folder names are languages, else to
 * `{set}`, or to `*` if the rows already state their set.
 */
function widened(
  best: RowCandidate,
  all: readonly RowCandidate[],
  everyPath: readonly string[]
):
  | Readonly<{
      path: string
      except: readonly string[]
      languages: Readonly<Record<string, string>> | undefined
      ofFile: string
      paths: readonly string[]
    }>
  | undefined {
  const parts = best.sample.file.path.split('/')
  for (const index of parts.keys()) {
    if (index === parts.length - 1) break
    const beside = all.filter(other => {
      const theirs = other.sample.file.path.split('/')
      return (
        theirs.length === parts.length &&
        theirs.every(
          (part, at) =>
            at === index ||
            part === parts[at] ||
            (at === parts.length - 1 && part.split('.').at(-1) === parts[at]?.split('.').at(-1))
        ) &&
        isAlike(best, other)
      )
    })
    const names = [...new Set(beside.map(({ sample }) => sample.file.path.split('/')[index] ?? ''))]
    if (names.length < 2) continue
    const languages = Object.fromEntries(
      names.map(name => [name, languageTag(name)]).filter(([, tag]) => tag !== undefined)
    ) as Readonly<Record<string, string>>
    const word =
      Object.keys(languages).length === names.length ? '{lang}' : best.found.set_code === undefined ? '{set}' : '*'
    const inFolder = (folder: string, path: string): string =>
      path
        .split('/')
        .map((part, at) => (at === index ? folder : part))
        .join('/')
    const leftOut = (best.sample.file.except ?? []).map(path => inFolder(word, path))
    const path = inFolder(word, best.sample.file.path)
    const strangers = new Set(
      everyPath
        .map(other => other.split('/'))
        .filter(
          others =>
            others.length === parts.length &&
            others.every((part, at) => at === index || part === parts[at] || parts[at]?.includes('*') === true)
        )
        .map(others => others[index] ?? '')
        .filter(name => !names.includes(name))
    )
    const except = [...leftOut, ...[...strangers].map(name => inFolder(name, path))]
    return {
      path,
      except,
      languages: word === '{lang}' ? languages : undefined,
      ofFile: word === '{set}' ? 'file.set' : 'file.name',
      paths: beside.flatMap(({ sample }) => sample.paths)
    }
  }
  return undefined
}

/**
 * Proposes how to read the files of an unknown folder, based on the files whose rows look most like cards. Returns
 * `undefined` when no file has rows.
 */
export async function proposeSource(folder: string, game: string, language: string): Promise<Proposal | undefined> {
  const looked = lookAt(folder)
  const all: RowCandidate[] = []
  const tables: RowCandidate[] = []
  const groups = await groupsOf(folder)
  for (const [pattern, paths] of groups) {
    const { best, singles } = await bestOfGroup(looked, pattern, paths)
    if (best !== undefined) all.push(best)
    tables.push(...singles, ...(best?.sample.file.single === true ? [best] : []))
  }
  const best = all.reduce<RowCandidate | undefined>(better, undefined)
  if (best === undefined || weightOf(best) === 0) return undefined
  const wide = widened(best, all, [...groups.values()].flat())
  const { except: alone, ...named } = best.sample.file
  const except = wide?.except ?? alone ?? []
  const file = {
    ...named,
    ...(wide === undefined ? {} : { path: wide.path }),
    ...(except.length === 0 ? {} : { except })
  }
  const { sample, found } = await candidateOf(
    looked,
    file,
    wide?.paths ?? best.sample.paths,
    best.sample.steps,
    rowsLooked.last
  )
  // The native id is chosen from the rows of one language only, because rows repeat in every language.
  const own =
    wide?.languages === undefined
      ? sample
      : (await candidateOf(looked, best.sample.file, best.sample.paths, best.sample.steps, rowsLooked.last)).sample
  const set = setOf(sample, found, wide?.ofFile ?? 'file.name')
  const others = tables
    .filter(
      ({ sample: { file, steps } }) =>
        steps.length === 1 && file.path !== best.sample.file.path && !sample.paths.includes(file.path)
    )
    .map(one => one.sample)
  const beside = await besideOf({ looked, sample, found, others, game, set })
  const map = { ...mapOf(own, found, { game, language, set }), ...beside.map }
  const lang =
    wide?.languages === undefined
      ? {}
      : {
          lang: Object.entries(wide.languages).every(([name, tag]) => name.toLowerCase() === tag)
            ? 'file.lang'
            : { path: 'file.lang', values: wide.languages }
        }
  const ids =
    wide?.languages === undefined ? {} : { native_id: { join: ['file.lang', map['native_id'] ?? ''], with: '/' } }
  const translated =
    Object.keys(beside.translations).length === 0 ? {} : { name_translations: { languages: beside.translations } }
  const languages = [
    ...new Set(
      [...sample.texts.flatMap(row => row.get('lang') ?? []), ...Object.values(wide?.languages ?? {})].map(one =>
        one.toLowerCase().replace('_', '-')
      )
    )
  ].sort()
  const keys = JSON.stringify([map, beside.tables])
  // Variables for keys that no expression reads are left out.
  const rows = sample.steps.map(({ key, ...step }) =>
    key === undefined || !keys.includes(`"${key}"`) ? step : { ...step, key }
  )
  return {
    reader: {
      files: [sample.file],
      rows: rows,
      ...(Object.keys(beside.tables).length === 0 ? {} : { tables: beside.tables }),
      ...(beside.sets === undefined ? {} : { sets: beside.sets }),
      map: { ...map, ...ids, ...lang, ...translated }
    },
    fields: sample.fields,
    languages: languages.length === 0 ? [language] : languages
  }
}
