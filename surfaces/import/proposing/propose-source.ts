import type { JsonObject } from 'pantry/data'
import { asText, compileExpression } from '../reading/expression.ts'
import type { Expression } from '../source.ts'
import { bestOfGroup, better, candidateOf, groupsOf, weightOf, type RowCandidate } from './candidates.ts'
import { findFields, mapOf, setOf, textsOf, type FoundFields, type WantedField } from './map.ts'
import type { Attribute } from '../../cards/attributes.ts'
import { languageTag } from '../languages.ts'
import { proposeAttributes, type AttributeProposal } from './propose-attributes.ts'
import {
  createFolderReader,
  rowsLooked,
  sampleOf,
  type FieldSeen,
  type FolderReader,
  type RowSteps,
  type Sample
} from './rows.ts'
import { widerPath } from './wider-path.ts'

/**
 * The proposed reader for a folder, the fields of its rows, and the languages and some numbers of its printings.
 * `others`: paths of files that have rows and are not read.
 */
export type Proposal = Readonly<{
  reader: JsonObject
  others: readonly string[]
  fields: readonly FieldSeen[]
  languages: readonly string[]
  numbers: readonly string[]
  attributes: Pick<AttributeProposal, 'added' | 'extended'>
}>

/** `isNew`: the game has no entry yet. `declared`: the attributes that there are. */
type ProposalOptions = Readonly<{ game: string; language: string; isNew: boolean; declared: readonly Attribute[] }>

/**
 * Proposes how to read the files of an unknown folder, based on the files whose rows look most like cards. Returns
 * `undefined` when no file has rows with at least two fields.
 */
export async function proposeSource(
  folder: string,
  { game, language, ...given }: ProposalOptions
): Promise<Proposal | undefined> {
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
  if (best === undefined || weightOf(best) === 0) {
    // What reads a file may not be installed, and its fault says how it is.
    const fault = looked.failed.find(error => error instanceof Error && error.name === 'OperatorFault')
    if (fault !== undefined) throw fault as Error
    return undefined
  }
  const wide = await widerPath(looked, best, all, groups)
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
  const set = setOf(sample, found, wide?.ofFile ?? 'file.name', game)
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
  const native = map['native_id']
  const ofSet = wide?.ofFile === 'file.set' && JSON.stringify(native).includes('file.name')
  const ids = ofSet
    ? { native_id: { join: ['file.set', native ?? ''], with: '/' } }
    : wide?.languages === undefined
      ? {}
      : { native_id: { join: ['file.lang', map['native_id'] ?? ''], with: '/' } }
  const translated =
    Object.keys(beside.translations).length === 0 ? {} : { name_translations: { languages: beside.translations } }
  const languages = [
    ...new Set(
      [
        ...textsOf(sample, 'lang'),
        ...(found.lang === undefined ? [] : textsOf(sample, found.lang)),
        ...Object.values(wide?.languages ?? {})
      ].map(one => languageTag(one) ?? one.toLowerCase().replace('_', '-'))
    )
  ].sort()
  const attributes = proposeAttributes(sample, new Set(Object.values(found)), { game, ...given })
  const keys = JSON.stringify([map, beside.tables, attributes.map])
  // Variables for keys that no expression reads are left out.
  const rows = sample.steps.map(({ key, ...step }) =>
    key === undefined || !keys.includes(`"${key}"`) ? step : { ...step, key }
  )
  const tablesRead = new Set(beside.paths)
  return {
    others: tables
      .filter(({ sample: { texts, fields } }) => texts.length > 0 && fields.length > 1)
      .map(({ sample: { file } }) => file.path)
      .filter(path => !sample.paths.includes(path) && !tablesRead.has(path) && !path.includes('*')),
    reader: {
      files: [sample.file],
      rows: rows,
      ...(Object.keys(beside.tables).length === 0 ? {} : { tables: beside.tables }),
      ...(beside.sets === undefined ? {} : { sets: beside.sets }),
      map: {
        ...map,
        ...ids,
        ...lang,
        ...translated,
        ...(Object.keys(attributes.map).length === 0 ? {} : { attributes: attributes.map })
      }
    },
    fields: sample.fields,
    attributes,
    numbers: numbersOf(own, map['number'] as Expression),
    languages: languages.length === 0 ? [language] : languages
  }
}

/**
 * A proposal for other files of the folder: lookup tables, the map fields and translations read from them, and the list
 * of sets.
 */
type LookupProposal = Readonly<{
  tables: JsonObject
  map: JsonObject
  translations: JsonObject
  paths: readonly string[]
  sets?: JsonObject
}>

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
  const paths: string[] = []
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
      paths.push(other.file.path)
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
      paths.push(...other.paths)
      for (const field of ['name', 'rarity', 'illustrators'] as const) take('cards', link, theirs, field)
    } else if (
      language !== undefined &&
      !sample.file.path.includes('{lang}') &&
      languageOf(sample.file.path) !== language &&
      !(language in translations)
    ) {
      const table = `names_${language.replace('-', '_')}`
      tables[table] = { ...placeOf(named), key }
      paths.push(other.file.path)
      translations[language] = { lookup: table, key: link, path: theirs.name }
    }
  }
  return { tables, map, translations, paths, ...(sets === undefined ? {} : { sets }) }
}
