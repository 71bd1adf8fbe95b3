import type { JsonObject } from 'pantry/data'
import { asText, compileExpression } from '../reading/expression.ts'
import type { Expression } from '../source.ts'
import { bestOfGroup, better, candidateOf, groupsOf, isAlike, weightOf, type RowCandidate } from './candidates.ts'
import { findFields, mapOf, setOf, type FoundFields, type WantedField } from './map.ts'
import {
  languageTag,
  createFolderReader,
  rowsLooked,
  sampleOf,
  type FieldSeen,
  type FolderReader,
  type RowSteps,
  type Sample
} from './rows.ts'

/** The proposed reader for a folder, the fields of its rows, and the languages and some numbers of its printings. */
export type Proposal = Readonly<{
  reader: JsonObject
  fields: readonly FieldSeen[]
  languages: readonly string[]
  numbers: readonly string[]
}>

/**
 * Widens the path to sibling folders with similar files: to `{lang}` if the folder names are languages, else to
 * `{set}`, or to `*` if the rows already state their set. `undefined` when there are no such folders.
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
 * `undefined` when no file has rows with at least two fields.
 */
export async function proposeSource(folder: string, game: string, language: string): Promise<Proposal | undefined> {
  const looked = createFolderReader(folder)
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
  const beside = await proposeLookups({ looked, sample, found, others, game, set })
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
    numbers: numbersOf(own, map['number'] as Expression),
    languages: languages.length === 0 ? [language] : languages
  }
}

/**
 * A proposal for other files of the folder: lookup tables, the map fields and translations read from them, and the list
 * of sets.
 */
type LookupProposal = Readonly<{ tables: JsonObject; map: JsonObject; translations: JsonObject; sets?: JsonObject }>

const valuesOf = ({ texts }: Sample, path: string): ReadonlySet<string> =>
  new Set(texts.flatMap(row => row.get(path) ?? []))

/** Returns a field of the other file that is unique per row there and contains at least 80 % of the given values. */
function keyIn(other: Sample, values: ReadonlySet<string>): string | undefined {
  if (values.size === 0) return undefined
  return other.fields
    .filter(({ filled, distinct }) => filled === distinct)
    .map(({ path }) => path)
    .find(path => {
      const held = valuesOf(other, path)
      return [...values].filter(value => held.has(value)).length >= values.size * 0.8
    })
}

const numbersOf = ({ scopes }: Sample, number: Expression): readonly string[] => {
  const read = compileExpression(number, { tables: new Map() })
  return [...new Set(scopes.map(scope => asText(read(scope)).toLowerCase()).filter(text => text !== ''))]
}

/**
 * Whether the rows with one value of a field are one card, so that a name may be looked up by it: in nine of ten values
 * they have one name. Where the rows have no names, one value may be in ten of them.
 */
function isOfCard({ texts }: Sample, path: string, name: string | undefined): boolean {
  const names = new Map<string, Set<string>>()
  for (const row of texts) {
    const key = row.get(path)
    if (key === undefined) continue
    const found = names.get(key) ?? new Set()
    names.set(key, found.add((name === undefined ? undefined : row.get(name)) ?? ''))
  }
  return name === undefined
    ? names.size * 10 >= texts.length
    : [...names.values()].filter(({ size }) => size === 1).length >= names.size * 0.9
}

/** Returns the language named in a path, such as `fr` in `translations/fr/cards.json` or `cards.fr.json`. */
const languageOf = (path: string): string | undefined =>
  path
    .split(/[/.]/)
    .slice(0, -1)
    .reverse()
    .map(languageTag)
    .find(tag => tag !== undefined)

const placeOf = ({ file, steps }: Sample): JsonObject => ({ file, rows: steps })

type LookupInput = Readonly<{
  looked: FolderReader
  sample: Sample
  found: FoundFields
  others: readonly Sample[]
  game: string
  set: Expression
}>

/**
 * Proposes lookup tables for the other files that describe sets, cards or translations; each is joined by a key that
 * the rows contain.
 */
async function proposeLookups({ looked, sample, found, others, game, set }: LookupInput): Promise<LookupProposal> {
  const tables: Record<string, JsonObject> = {}
  const map: Record<string, JsonObject> = {}
  const translations: Record<string, JsonObject> = {}
  let sets: JsonObject | undefined
  const take = (table: string, key: Expression, other: FoundFields, field: WantedField): void => {
    if (found[field] === undefined && other[field] !== undefined && !(field in map))
      map[field] = { lookup: table, key: key, path: other[field] }
  }
  const links = sample.fields
    .filter(({ path, distinct }) => path !== set && distinct > 1 && /(?:id|code|key|slug|ref)$/i.test(path))
    .filter(({ path }) => isOfCard(sample, path, found.name))
    .map(({ path }) => path)
  const readSet = compileExpression(set, { tables: new Map() })
  const setValues = new Set(sample.scopes.map(scope => asText(readSet(scope))).filter(text => text !== ''))
  for (const other of others) {
    const setKey = keyIn(other, setValues)
    const link =
      setKey === undefined ? links.find(path => keyIn(other, valuesOf(sample, path)) !== undefined) : undefined
    if (setKey === undefined && link === undefined) continue
    const as = setKey === undefined ? 'card' : 'set'
    const [{ key: keyName, ...outermost }] = other.steps
    const rows: RowSteps = [{ ...outermost, as, ...(keyName === undefined ? {} : { key: `${as}_key` }) }]
    const named = await sampleOf(looked, other.file, other.paths, rows, rowsLooked.last)
    const key = (setKey ?? keyIn(other, valuesOf(sample, link ?? '')) ?? '').replace(/^card(?=[._])/, as)
    const { found: theirs } = findFields(named)
    if (setKey !== undefined) {
      if (sets !== undefined || theirs.set_name === undefined) continue
      tables['sets'] = { ...placeOf(named), key }
      for (const field of ['set_name', 'released_on', 'declared_total'] as const) take('sets', set, theirs, field)
      sets = {
        files: [other.file],
        rows: rows as never,
        map: {
          game: { const: game },
          code: key,
          name: theirs.set_name,
          ...(theirs.released_on === undefined ? {} : { released_on: theirs.released_on }),
          ...(theirs.declared_total === undefined ? {} : { declared_total: theirs.declared_total })
        }
      }
      continue
    }
    if (link === undefined || theirs.name === undefined) continue
    const language = languageOf(other.file.path)
    if (found.name === undefined && !('name' in map) && language === undefined) {
      tables['cards'] = { ...placeOf(named), key }
      for (const field of ['name', 'rarity', 'illustrators'] as const) take('cards', link, theirs, field)
    } else if (
      language !== undefined &&
      !sample.file.path.includes('{lang}') &&
      languageOf(sample.file.path) !== language &&
      !(language in translations)
    ) {
      const table = `names_${language.replace('-', '_')}`
      tables[table] = { ...placeOf(named), key }
      translations[language] = { lookup: table, key: link, path: theirs.name }
    }
  }
  return { tables, map, translations, ...(sets === undefined ? {} : { sets }) }
}
