import type { JsonObject } from 'pantry/data'
import { languageTag } from '../languages.ts'
import { nameOfFile } from '../reading/files.ts'
import { inLanguages, namesInColumns, namesOf, wordsIn } from './names.ts'
import type { FieldSeen, Sample } from './rows.ts'
import type { Expression } from '../source.ts'
import { withheldByForm } from '../withheld.ts'

/** The path in the rows for each field of a card or set, as far as one was found. */
export type FoundFields = Readonly<Partial<Record<WantedField, string>>>
export type WantedField = keyof typeof usual

const group = '(?:set|pack|expansion|edition|series|release|product)'
/**
 * Regular expressions for the names that upstreams usually give to each field, the likeliest first. The words of a name
 * are joined by `_`.
 */
const usual = {
  set_code: [
    `${group}_(?:code|id|abbr[a-z]*|key|slug|identifier|no)`,
    `(?:set|pack|expansion|edition|series)s?`,
    `${group}_(?:name|title)`
  ],
  set_name: [`${group}_(?:long|full)_?name`, `${group}_(?:name|title|label|name_en)`],
  number: [
    '(?:collector|card|printed|set)_?(?:number|no|num|nr)|number|no|num|nr|collectors?_info|position',
    '(?:card_)?(?:code|id|ref)'
  ],
  name: [
    '(?:card_)?(?:name|title)(?:_en|_english|_en_us)?|(?:en|english|full|display)_(?:name|title)',
    '(?:[a-z]+_)?(?:name|title)_(?:en|english)|label|slug',
    '(?:fields|front|card|face|properties|attributes)_(?:[a-z]+_)?(?:name|title)'
  ],
  rarity: ['(?:card_)?rarity(?:_name|_code|_label)?|(?:set|printing)_rarity'],
  illustrators: ['(?:card_)?(?:artists?|illustrators?|illustrated_by|illustration_by)(?:_name)?'],
  released_on: [
    `${group}_(?:release|released|date)(?:_date|_on|_at|_day|d)?|${group}_[a-z]*release[a-z_]*|release_?date|released?_(?:on|at)`
  ],
  declared_total: [`${group}_(?:total|size|count|card_count|total_cards|cards_total|printed_total)`],
  lang: ['(?:card_)?(?:lang|language|locale)(?:_code)?'],
  variant: [
    '(?:card_)?(?:variant|variation|suffix|finish|foil(?:ing|_type)?|parallel|treatment|version)(?:_name|_code|_type)?'
  ]
} as const satisfies Readonly<Record<string, readonly string[]>>

/** How much finding each field adds to the strength of a candidate. */
const weights: Readonly<Partial<Record<WantedField, number>>> = {
  number: 4,
  name: 3,
  set_code: 2,
  rarity: 2,
  illustrators: 1
}

export const weighted = Object.keys(weights) as readonly WantedField[]

const forms = (field: WantedField): readonly RegExp[] => usual[field].map(name => new RegExp(`^(?:${name})$`))
const isGroup = new RegExp(`^${group}$`)

/**
 * Returns the words of a path joined by `_`, each once where it is said again, as in `set.sets.set.name`. The first
 * name, that of a loop, is left out unless it means a set (`isGroup`) or is the only one.
 */
function wordsOf(path: string): string {
  const [loop = '', ...names] = path.split('.')
  const parts = names.length === 0 || isGroup.test(loop) ? [loop, ...names] : names
  return wordsIn(parts.join('_'))
    .filter((word, at, all) => word !== all[at - 1] && word !== `${all[at - 1]}s` && `${word}s` !== all[at - 1])
    .join('_')
}

/** Whether a text can be a printed number: it has a digit and at most 20 characters. */
const isNumberLike = (text: string): boolean => text.length <= 20 && /[0-9]/.test(text)
const isDate = (text: string): boolean => /[0-9]{4}/.test(text) && text.length < 30

function fits(field: WantedField, path: string, { texts }: Sample): boolean {
  const values = texts.slice(0, 300).flatMap(row => row.get(path) ?? [])
  const share = (test: (text: string) => boolean): boolean => values.filter(test).length >= values.length * 0.8
  if (path.startsWith('file.')) return false
  // The names of the lists of a document are no sets.
  if (field === 'set_code' && path.endsWith('_key'))
    return new Set(values).size > 1 && !values.some(text => /cards?$/i.test(text))
  if (field === 'number') return share(isNumberLike)
  if (field === 'lang') return values.every(text => languageTag(text) !== undefined)
  if (field === 'released_on') return share(isDate)
  if (field === 'declared_total') return share(text => /^[0-9]{1,5}$/.test(text))
  if (field === 'name' || field === 'set_name')
    return (
      !share(text => /^[0-9]+$/.test(text)) && values.reduce((sum, { length }) => sum + length, 0) < values.length * 80
    )
  return true
}

/**
 * Matches the fields of a sample to the fields of a card by their names. Of several matches, the likeliest name wins,
 * then the innermost loop, then the shortest path.
 */
export function findFields(
  sample: Sample,
  wanted: readonly WantedField[] = Object.keys(usual) as WantedField[]
): Readonly<{ found: FoundFields; strength: number }> {
  const order = sample.steps.map(({ as }) => as)
  const depth = (path: string): number => order.indexOf(path.split('.')[0] ?? '')
  const isKey = new Set(sample.steps.map(({ key }) => key))
  const fields = sample.fields
    .filter(({ path }) => !isKey.has(path) || path.endsWith('_key'))
    .sort(
      (a, b) =>
        depth(b.path) - depth(a.path) || a.path.split('.').length - b.path.split('.').length || b.filled - a.filled
    )
  // Of several fields that may say the set, that by which the files are called does.
  const isOfFile = (path: string): boolean =>
    sample.paths.length > 1 &&
    forms('set_code').some(form => form.test(wordsOf(path))) &&
    sample.texts.every(row => row.has(path) && row.get(path)?.toLowerCase() === row.get('file.name')?.toLowerCase())
  const found: Partial<Record<WantedField, string>> = {}
  let strength = 0
  for (const field of wanted) {
    for (const [rank, form] of forms(field).entries()) {
      if (found[field] !== undefined) continue
      const path =
        (field === 'set_code' ? fields.find(({ path }) => isOfFile(path)) : undefined)?.path ??
        fields.find(
          ({ path, filled, rows }) =>
            filled >=
              rows * (field === 'number' || field === 'set_code' ? needed : field === 'illustrators' ? 0.1 : 0.3) &&
            form.test(wordsOf(path)) &&
            fits(field, path, sample)
        )?.path
      if (path === undefined) continue
      found[field] = path
      strength += (weights[field] ?? 0) / (rank + 1)
    }
  }
  if (found.name === undefined && wanted.includes('name')) {
    const columns = namesInColumns(sample)
    const name = columns.get('en') ?? [...columns.values()][0]
    if (name !== undefined) {
      found.name = name
      strength += weights.name ?? 0
    }
  }
  // Of one file for each card, the name may be the number.
  const ofFile = fields.find(({ path, filled, rows }) => path === 'file.name' && filled === rows)
  const isNumbered = fields.some(({ path }) => forms('number').some(form => form.test(wordsOf(path))))
  if (!isNumbered && sample.file.single === true && ofFile !== undefined) {
    const names = textsOf(sample, 'file.name')
    if (names.every(isNumberLike)) found.number = 'file.name'
  }
  return { found, strength }
}

/** The share of rows that must have a number and a set, because a row without them is no printing. */
const needed = 0.9

const isUnique = ({ texts }: Sample, paths: readonly string[]): boolean => {
  const keys = new Set(texts.map(row => paths.map(path => row.get(path) ?? '').join('\0')))
  return texts.length > 0 && keys.size === texts.length && texts.every(row => paths.some(path => row.has(path)))
}

/** Joins paths by `/` or, where that would look like a link, by a blank. */
function joined({ texts }: Sample, paths: readonly string[]): Expression {
  if (paths.length === 1) return paths[0] ?? ''
  const isLike = texts.some(row => {
    const text = paths.flatMap(path => row.get(path) ?? []).join('/')
    return withheldByForm(text, { isId: true }) !== undefined
  })
  return { join: paths, with: isLike ? ' ' : '/' }
}

/**
 * Chooses a field, or several joined, whose values are unique per row. If none is, the dry run reports the duplicates.
 */
function nativeId(sample: Sample, found: FoundFields): Expression {
  const whole = (one: FieldSeen): boolean => one.filled === one.rows && one.path !== found.name
  const ids = sample.fields
    .filter(whole)
    .filter(({ path }) => /(?:^|_)(?:id|uuid|key|code|guid)$/.test(wordsOf(path)) || path.endsWith('_key'))
    .map(({ path }) => path)
  const loops = sample.steps.flatMap(({ key }) => (key === undefined || key.endsWith('_key') ? [] : [key]))
  const set = found.set_code ?? (sample.fields.some(({ path }) => path === 'file.name') ? 'file.name' : undefined)
  const place = [...(set === undefined ? [] : [set]), ...(found.number === undefined ? [] : [found.number])]
  const more = [
    found.variant,
    ...sample.fields.map(({ path }) => path).filter(path => path === 'lang' || path === found.lang),
    found.rarity,
    found.name
  ].filter(path => path !== undefined)
  const alone = [...sample.fields.filter(whole), ...sample.fields]
    .filter(({ filled, distinct, rows }) => filled === rows && distinct === rows)
    .map(({ path }) => [path])
  const choices = [
    ...ids.map(path => [path]),
    ...(place.length === 0 ? alone : []),
    ...ids.map(path => [path, ...loops]),
    ...(place.length === 0 ? [] : [place, [...place, ...loops]]),
    ...ids.map(path => [...place, path]),
    ...more.map(path => [...place, ...loops, path]),
    ...ids.flatMap(path => more.map(other => [...place, path, ...loops, other])),
    ...alone
  ].map(paths => [...new Set(paths)])
  return joined(
    sample,
    choices.find(paths => isUnique(sample, paths)) ??
      (place.length > 0 ? place : ids.length > 0 ? ids.slice(0, 1) : together(sample, found.name))
  )
}

const maxTogether = 12

/** Returns the name and the one or two fields that tell rows of one name apart, those with most values first. */
function together(sample: Sample, name: string | undefined): readonly string[] {
  const start = name === undefined ? [] : [name]
  const others = sample.fields
    .filter(({ path, filled, rows }) => filled === rows && path !== name && !path.startsWith('file.'))
    .sort((a, b) => b.distinct - a.distinct)
    .slice(0, maxTogether)
    .map(({ path }) => path)
  const pairs = others.flatMap((one, at) => others.slice(at + 1).map(other => [one, other]))
  const choices = [...others.map(one => [one]), ...pairs].map(paths => [...start, ...paths])
  return choices.find(paths => isUnique(sample, paths)) ?? start
}

/** A regular expression for a set code at the start of a printed number, such as `OP01` in `OP01-001`. */
const inNumber = '^(?<set>[A-Za-z]+[0-9]*)-[A-Za-z0-9]+$'

/** Names of files that say of no set: `cards`, `all-cards`, `data`. */
const ofNoSet = /^(?:(?:all|full|main|complete|list|cards?|data|database|db|json)(?:$|[ _-]))+$/i

/**
 * Returns where the set code of a row is read: from a field, from the printed number, or from the file name; where that
 * says of no set, all rows are one set with the token of the game.
 */
export function setOf(sample: Sample, found: FoundFields, ofFile: string, game?: string): Expression {
  const { number } = found
  const isNone = ofFile === 'file.name' && sample.paths.every(path => ofNoSet.test(nameOfFile(path)))
  const byFile = isNone && game !== undefined ? { const: game } : ofFile
  if (found.set_code !== undefined || number === undefined) return found.set_code ?? byFile
  const numbers = sample.texts.flatMap(row => row.get(number) ?? [])
  return numbers.filter(text => new RegExp(inNumber, 'u').test(text)).length >= numbers.length * 0.9
    ? { path: number, pattern: inNumber, group: 'set' }
    : byFile
}

/** Returns the different texts of a field. */
export const textsOf = ({ texts }: Sample, path: string): readonly string[] => [
  ...new Set(texts.flatMap(row => row.get(path) ?? []))
]

/** Returns an expression that makes whole numbers of those that a spreadsheet wrote with a decimal, such as `3.0`. */
function whole(path: string, { texts }: Sample): Expression {
  const form = '^(?<whole>[0-9]+)[.]0$'
  const values = texts.flatMap(row => row.get(path) ?? [])
  return values.length > 0 && values.every(text => new RegExp(form).test(text))
    ? { path, pattern: form, group: 'whole' }
    : path
}

/** Returns an expression for languages, which makes tags of what the upstream calls them. */
function withTags(path: string, sample: Sample): Expression {
  const others = textsOf(sample, path).filter(text => languageTag(text) !== text.toLowerCase())
  return others.length === 0
    ? path
    : { path, values: Object.fromEntries(others.map(text => [text, languageTag(text) ?? text])) }
}

/**
 * Proposes the map of a reader from the fields found, with constants for what the rows do not say, such as the game.
 */
export function mapOf(
  sample: Sample,
  found: FoundFields,
  { game, language, set }: Readonly<{ game: string; language: string; set: Expression }>
): JsonObject {
  const lang = sample.fields.some(({ path }) => path === 'lang') ? 'lang' : found.lang
  const native = nativeId(sample, found)
  const isName = found.name !== undefined && isUnique(sample, [found.name])
  const number: Expression = found.number ?? (typeof native === 'string' || !isName ? native : (found.name ?? native))
  // If some rows have no number (as in a game's oldest sets), they use the field that identifies rows instead.
  const strong = sample.fields.find(
    ({ path, filled, rows }) =>
      filled < rows * needed &&
      filled * 3 >= rows &&
      path !== number &&
      forms('number')[0]?.test(wordsOf(path)) === true &&
      fits('number', path, sample)
  )?.path
  const hasPlace =
    typeof number !== 'string' ||
    isUnique(
      sample,
      [typeof set === 'string' ? set : number, number, ...(lang === undefined ? [] : [lang])].filter(
        path => path !== 'file.name' || sample.paths.length > 1
      )
    )
  const artists = found.illustrators
  const setNames = inLanguages(found.set_name, sample)
  const split = artists !== undefined && sample.texts.some(row => / & |, /.test(row.get(artists) ?? ''))
  return {
    native_id: native,
    game: { const: game },
    set_code: set,
    ...(found.set_name === undefined || found.set_name === set ? {} : { set_name: found.set_name }),
    ...(setNames === undefined ? {} : { set_name_translations: setNames }),
    ...(found.released_on === undefined ? {} : { released_on: found.released_on }),
    ...(found.declared_total === undefined ? {} : { declared_total: found.declared_total }),
    number:
      strong === undefined
        ? typeof number === 'string'
          ? whole(number, sample)
          : number
        : { first: [strong, number] },
    ...namesOf(sample, found.name, language),
    ...(hasPlace || found.variant === undefined ? {} : { variant: found.variant }),
    ...(found.rarity === undefined ? {} : { rarity: whole(found.rarity, sample) }),
    ...(artists === undefined ? {} : { illustrators: split ? { path: artists, split: [' & ', ', '] } : artists }),
    lang: lang === undefined ? { const: language } : withTags(lang, sample)
  }
}
