import type { JsonObject } from 'pantry/data'
import type { FieldSeen, Sample } from './rows.ts'
import type { Expression } from '../source.ts'

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
  set_name: [`${group}_(?:name|title|label|full_name|name_en)`],
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
 * Returns the words of a path joined by `_`. The first name, that of a loop, is left out unless it means a set
 * (`isGroup`) or is the only one.
 */
function wordsOf(path: string): string {
  const [loop = '', ...names] = path.split('.')
  const parts = names.length === 0 || isGroup.test(loop) ? [loop, ...names] : names
  return parts
    .join('_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

/** Whether a text can be a printed number: it has a digit and at most 20 characters. */
const isNumberLike = (text: string): boolean => text.length <= 20 && /[0-9]/.test(text)
const isDate = (text: string): boolean => /[0-9]{4}/.test(text) && text.length < 30

function fits(field: WantedField, path: string, { texts }: Sample): boolean {
  const values = texts.slice(0, 300).flatMap(row => row.get(path) ?? [])
  const share = (test: (text: string) => boolean): boolean => values.filter(test).length >= values.length * 0.8
  if (path.startsWith('file.')) return false
  // The name of the one list of a document is no set.
  if (field === 'set_code' && path.endsWith('_key')) return new Set(values).size > 1
  if (field === 'number') return share(isNumberLike)
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
  const found: Partial<Record<WantedField, string>> = {}
  let strength = 0
  for (const field of wanted) {
    for (const [rank, form] of forms(field).entries()) {
      if (found[field] !== undefined) continue
      const path = fields.find(
        ({ path, filled, rows }) =>
          filled >= rows * (field === 'number' || field === 'set_code' ? needed : 0.3) &&
          form.test(wordsOf(path)) &&
          fits(field, path, sample)
      )?.path
      if (path === undefined) continue
      found[field] = path
      strength += (weights[field] ?? 0) / (rank + 1)
    }
  }
  return { found, strength }
}

/** The share of rows that must have a number and a set, because a row without them is no printing. */
const needed = 0.9

const isUnique = ({ texts }: Sample, paths: readonly string[]): boolean => {
  const keys = new Set(texts.map(row => paths.map(path => row.get(path) ?? '').join('\0')))
  return texts.length > 0 && keys.size === texts.length && texts.every(row => paths.some(path => row.has(path)))
}

const joined = (paths: readonly string[]): string | JsonObject =>
  paths.length === 1 ? (paths[0] ?? '') : { join: paths, with: '/' }

/**
 * Chooses a field, or several joined, whose values are unique per row. If none is, the dry run reports the duplicates.
 */
function nativeId(sample: Sample, found: FoundFields): string | JsonObject {
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
    ...sample.fields.map(({ path }) => path).filter(path => path === 'lang'),
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
  return joined(choices.find(paths => isUnique(sample, paths)) ?? (place.length > 0 ? place : ids.slice(0, 1)))
}

/** A regular expression for a set code at the start of a printed number, such as `OP01` in `OP01-001`. */
const inNumber = '^(?<set>[A-Za-z]+[0-9]*)-[A-Za-z0-9]+$'

/** Returns where the set code of a row is read: from a field, from the printed number, or from the file name. */
export function setOf(sample: Sample, found: FoundFields, ofFile: string): Expression {
  const { number } = found
  if (found.set_code !== undefined || number === undefined) return found.set_code ?? ofFile
  const numbers = sample.texts.flatMap(row => row.get(number) ?? [])
  return numbers.filter(text => new RegExp(inNumber, 'u').test(text)).length >= numbers.length * 0.9
    ? { path: number, pattern: inNumber, group: 'set' }
    : ofFile
}

/**
 * Proposes the map of a reader from the fields found, with constants for what the rows do not say, such as the game.
 */
export function mapOf(
  sample: Sample,
  found: FoundFields,
  { game, language, set }: Readonly<{ game: string; language: string; set: Expression }>
): JsonObject {
  const byLanguage = sample.fields.some(({ path }) => path === 'lang')
  const native = nativeId(sample, found)
  const number = found.number ?? (typeof native === 'string' ? native : (found.name ?? 'file.name'))
  // If some rows have no number (as in a game's oldest sets), they use the field that identifies rows instead.
  const strong = sample.fields.find(
    ({ path, filled, rows }) =>
      filled < rows * needed &&
      filled * 3 >= rows &&
      path !== number &&
      forms('number')[0]?.test(wordsOf(path)) === true &&
      fits('number', path, sample)
  )?.path
  const hasPlace = isUnique(
    sample,
    [typeof set === 'string' ? set : number, number, ...(byLanguage ? ['lang'] : [])].filter(
      path => path !== 'file.name' || sample.paths.length > 1
    )
  )
  const artists = found.illustrators
  const split = artists !== undefined && sample.texts.some(row => / & |, /.test(row.get(artists) ?? ''))
  return {
    native_id: native,
    game: { const: game },
    set_code: set,
    ...(found.set_name === undefined || found.set_name === set ? {} : { set_name: found.set_name }),
    ...(found.released_on === undefined ? {} : { released_on: found.released_on }),
    ...(found.declared_total === undefined ? {} : { declared_total: found.declared_total }),
    number: strong === undefined ? number : { first: [strong, number] },
    ...(found.name === undefined ? {} : { name: found.name }),
    ...(hasPlace || found.variant === undefined ? {} : { variant: found.variant }),
    ...(found.rarity === undefined ? {} : { rarity: found.rarity }),
    ...(artists === undefined ? {} : { illustrators: split ? { path: artists, split: [' & ', ', '] } : artists }),
    lang: byLanguage ? 'lang' : { const: language }
  }
}
