import type { JsonObject } from 'pantry/data'
import { groupsOf, waysToRead } from './propose-files.ts'
import { languageTag } from './language-tag.ts'
import { findFields, mapOf, setOf, type Found } from './propose-map.ts'
import { deeperSteps, lookAt, outermostOf, rowsLooked, sampleOf, type FieldSeen, type Looked, type Sample, type Steps } from './propose-rows.ts'
import { besideOf } from './propose-tables.ts'
import type { SourceFile } from '../source.ts'

/** How the rows of an unknown folder may be read, the fields they have, and the languages of their printings. */
export type Proposal = Readonly<{ reader: JsonObject, fields: readonly FieldSeen[], languages: readonly string[] }>
/** Rows of files, and how much they look like cards. */
type Candidate = Readonly<{ sample: Sample, found: Found, strength: number }>

const mostAlike = 60
const mostLoops = 4

async function candidateOf (looked: Looked, file: SourceFile, paths: readonly string[], steps: Steps, most?: number): Promise<Candidate> {
  const sample = await sampleOf(looked, file, paths, steps, most)
  return { sample, ...findFields(sample) }
}

/** More rows tell more, but less than what is in them. */
const weightOf = ({ sample: { texts, fields, paths, file }, strength }: Candidate): number =>
  fields.length < 2 ? 0 : strength + Math.log10(texts.length * Math.max(1, file.single === true ? 1 : paths.length / 8) + 1)

/** The one that looks more like cards; of two that look the same, the one with more fields. */
function better (one: Candidate | undefined, other: Candidate): Candidate {
  if (one === undefined) return other
  const more = weightOf(other) - weightOf(one)
  return more > 0 || (more === 0 && other.sample.fields.length > one.sample.fields.length) ? other : one
}

/** Goes into the lists within rows as long as what comes out looks more like cards. */
async function deepest (looked: Looked, start: Candidate): Promise<Candidate> {
  let best = start
  for (let loops = 1; loops < mostLoops; loops++) {
    const inner = await Promise.all(deeperSteps(best.sample).map(steps => candidateOf(looked, best.sample.file, best.sample.paths, steps)))
    const next = inner.reduce<Candidate | undefined>((one, other) => other.sample.texts.length === 0 ? one : better(one, other), undefined)
    // A loop that has its own number, set or language makes printings of a card.
    if (next === undefined || next.strength <= best.strength) return best
    best = next
  }
  return best
}

/** How the rows of some files are read best. */
async function readBest (looked: Looked, paths: readonly string[], path: string): Promise<Candidate | undefined> {
  let best: Candidate | undefined
  try {
    for (const way of await waysToRead(looked, paths[0] ?? '')) {
      if (way.single === true && paths.length < 3) continue
      const file = { ...way, path }
      const keyed = way.single !== true && file.shape !== 'table'
      const start = await candidateOf(looked, file, paths, [outermostOf(keyed && await hasNames(looked, way) ? 'object' : 'list')])
      best = better(best, await deepest(looked, start))
    }
    return best
  } catch {
    // A file that cannot be read as what its ending says is not one that is looked for.
    return best
  }
}

/** Whether the members of a document have names instead of positions. */
async function hasNames (looked: Looked, file: SourceFile): Promise<boolean> {
  const { scopes } = await sampleOf(looked, file, [file.path], [{ as: 'card', key: 'card_key' }])
  return scopes.some(({ card_key: key }) => typeof key === 'string')
}

/** Whether most fields of one are fields of the other: files of cards are not files of sets. */
function isAlike ({ sample: one }: Candidate, { sample: other }: Candidate): boolean {
  const paths = new Set(one.fields.map(({ path }) => path))
  return other.fields.filter(({ path }) => paths.has(path)).length * 2 > Math.max(paths.size, other.fields.length)
}

/** Whether the rows of one are those of the other again, told more shortly: what tells rows apart there, and their names, are the same. */
function tellsAgain ({ sample: one, found }: Candidate, { sample: other }: Candidate): boolean {
  const valuesOf = ({ texts }: Sample, path: string): readonly string[] => texts.flatMap(row => row.get(path) ?? [])
  const keys = one.fields.filter(({ distinct, rows }) => rows > 1 && distinct === rows).map(({ path }) => path).filter(path => other.fields.some(field => field.path === path))
  return found.name !== undefined && keys.some(path => path !== found.name) && [...keys, found.name].every(path => {
    const known = new Set(valuesOf(one, path))
    const values = valuesOf(other, path)
    return values.filter(value => known.has(value)).length >= values.length * 0.8
  })
}

/** The best of the files of one folder: one of them, or all that are alike, without the others. */
async function bestOfGroup (looked: Looked, pattern: string, paths: readonly string[]): Promise<Readonly<{ best: Candidate | undefined, singles: readonly Candidate[] }>> {
  const some = paths.slice(0, mostAlike)
  const singles = (await Promise.all(some.map(path => readBest(looked, [path], path)))).filter(one => one !== undefined)
  const whole = paths.length < 3 ? undefined : await readBest(looked, paths, pattern)
  const best = [...singles, ...(whole?.sample.file.single === true ? [whole] : [])].reduce<Candidate | undefined>(better, undefined)
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
  const together = await candidateOf(looked, { ...file, path: pattern, ...(others.length === 0 ? {} : { except: others }) }, alike, steps)
  return { best: together, singles }
}

/** The same files in folders beside: `{lang}` where these are languages, `{set}` where they are not. */
function widened (best: Candidate, all: readonly Candidate[], everyPath: readonly string[]): Readonly<{ path: string, except: readonly string[], languages: Readonly<Record<string, string>> | undefined, ofFile: string, paths: readonly string[] }> | undefined {
  const parts = best.sample.file.path.split('/')
  for (const index of parts.keys()) {
    if (index === parts.length - 1) break
    const beside = all.filter(other => {
      const theirs = other.sample.file.path.split('/')
      return theirs.length === parts.length && theirs.every((part, at) => at === index || part === parts[at] || (at === parts.length - 1 && part.split('.').at(-1) === parts[at]?.split('.').at(-1))) && isAlike(best, other)
    })
    const names = [...new Set(beside.map(({ sample }) => sample.file.path.split('/')[index] ?? ''))]
    if (names.length < 2) continue
    const languages = Object.fromEntries(names.map(name => [name, languageTag(name)]).filter(([, tag]) => tag !== undefined)) as Readonly<Record<string, string>>
    const word = Object.keys(languages).length === names.length ? '{lang}' : best.found.set_code === undefined ? '{set}' : '*'
    const inFolder = (folder: string, path: string): string => path.split('/').map((part, at) => at === index ? folder : part).join('/')
    const leftOut = (best.sample.file.except ?? []).map(path => inFolder(word, path))
    const path = inFolder(word, best.sample.file.path)
    const strangers = new Set(everyPath.filter(other => other.split('/').length === parts.length).map(other => other.split('/')[index] ?? '').filter(name => !names.includes(name)))
    const except = [...leftOut, ...[...strangers].map(name => inFolder(name, path))]
    return { path, except, languages: word === '{lang}' ? languages : undefined, ofFile: word === '{set}' ? 'file.set' : 'file.name', paths: beside.flatMap(({ sample }) => sample.paths) }
  }
  return undefined
}

/** Looks at a folder of unknown files, and proposes how its rows are read: of the files whose rows look most like cards. `undefined` when none has rows. */
export async function proposeSource (folder: string, game: string, language: string): Promise<Proposal | undefined> {
  const looked = lookAt(folder)
  const all: Candidate[] = []
  const tables: Candidate[] = []
  const groups = await groupsOf(folder)
  for (const [pattern, paths] of groups) {
    const { best, singles } = await bestOfGroup(looked, pattern, paths)
    if (best !== undefined) all.push(best)
    tables.push(...singles, ...(best?.sample.file.single === true ? [best] : []))
  }
  const best = all.reduce<Candidate | undefined>(better, undefined)
  if (best === undefined || weightOf(best) === 0) return undefined
  const wide = widened(best, all, [...groups.values()].flat())
  const { except: alone, ...named } = best.sample.file
  const except = wide?.except ?? alone ?? []
  const file = { ...named, ...(wide === undefined ? {} : { path: wide.path }), ...(except.length === 0 ? {} : { except }) }
  const { sample, found } = await candidateOf(looked, file, wide?.paths ?? best.sample.paths, best.sample.steps, rowsLooked.last)
  // What tells rows apart tells those of one language apart.
  const own = wide?.languages === undefined ? sample : (await candidateOf(looked, best.sample.file, best.sample.paths, best.sample.steps, rowsLooked.last)).sample
  const set = setOf(sample, found, wide?.ofFile ?? 'file.name')
  const others = tables.filter(({ sample: { file, steps } }) => steps.length === 1 && file.path !== best.sample.file.path && !sample.paths.includes(file.path)).map(one => one.sample)
  const beside = await besideOf({ looked, sample, found, others, game, set })
  const map = { ...mapOf(own, found, { game, language, set }), ...beside.map }
  const lang = wide?.languages === undefined ? {} : { lang: Object.entries(wide.languages).every(([name, tag]) => name.toLowerCase() === tag) ? 'file.lang' : { path: 'file.lang', values: wide.languages } }
  const ids = wide?.languages === undefined ? {} : { native_id: { join: ['file.lang', map['native_id'] ?? ''], with: '/' } }
  const translated = Object.keys(beside.translations).length === 0 ? {} : { name_translations: { languages: beside.translations } }
  const languages = [...new Set([...sample.texts.flatMap(row => row.get('lang') ?? []), ...Object.values(wide?.languages ?? {})].map(one => one.toLowerCase().replace('_', '-')))].sort()
  const keys = JSON.stringify([map, beside.tables])
  // A name of keys that nothing reads is left out.
  const rows = sample.steps.map(({ key, ...step }) => key === undefined || !keys.includes(`"${key}"`) ? step : { ...step, key })
  return {
    reader: { files: [sample.file], rows: rows, ...(Object.keys(beside.tables).length === 0 ? {} : { tables: beside.tables }), ...(beside.sets === undefined ? {} : { sets: beside.sets }), map: { ...map, ...ids, ...lang, ...translated } },
    fields: sample.fields, languages: languages.length === 0 ? [language] : languages
  }
}
