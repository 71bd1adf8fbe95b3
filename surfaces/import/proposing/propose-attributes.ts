import type { JsonObject, JsonValue } from 'pantry/data'
import { isOfGame, type Attribute } from '../../cards/attributes.ts'
import { languageTag } from '../languages.ts'
import { compilePath } from '../reading/expression.ts'
import type { FieldSeen, Sample } from './rows.ts'

/**
 * Attributes of cards that are proposed: expressions of the map by the name of the attribute, the attributes that are
 * to be declared, and the names of those that are to have the game, too.
 */
export type AttributeProposal = Readonly<{ map: JsonObject; added: readonly Attribute[]; extended: readonly string[] }>

const maxProposed = 12
/** The share of rows that have a field that is worth a filter, and the most characters of its values. */
const minShare = 0.1
const maxLength = 40

const wordOf = (path: string): string =>
  (path.split('.').at(-1) ?? '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/(?<=_?[a-z]{4,})_code$/, '')

/** Identities, and what is a field of its own. */
const noAttribute =
  /(?:^|_)(?:id|ids|sku|uuid|guid|key|code|slug|ref|url|uri|name|title|names|number|no|num|date|released|lang|language|position|quantity|artist|illustrator)$|^(?:set|pack|expansion|series|rarity|lang|file|key|index|order)$/

const valuesOf = ({ scopes }: Sample, path: string): readonly JsonValue[] => {
  const read = compilePath(path)
  return scopes.map(read).filter(value => value !== null && value !== '')
}

const isWhole = (value: JsonValue): boolean =>
  Number.isInteger(value) || (typeof value === 'string' && /^-?[0-9]{1,6}$/.test(value))

/** What upstreams write between the words of a list that is one text. */
const separators = [' / ', ' | ', '; ', ', ']
const minLists = 0.2

/**
 * Returns what separates the words of texts that are lists: at least one text in five has it, and a word of one of them
 * occurs in another text too.
 */
function separatorOf(values: readonly JsonValue[]): string | undefined {
  const texts = values.filter(value => typeof value === 'string')
  if (texts.length < values.length) return undefined
  return separators.find(separator => {
    const lists = new Set(texts.filter(text => text.includes(separator)))
    const seen = new Map<string, Set<string>>()
    for (const text of new Set(texts))
      for (const word of text.split(separator)) seen.set(word, (seen.get(word) ?? new Set()).add(text))
    return (
      texts.filter(text => lists.has(text)).length >= texts.length * minLists &&
      [...seen.values()].some(found => found.size > 1 && [...found].some(text => lists.has(text)))
    )
  })
}

/** Declares an attribute by the values that were seen, with room for greater numbers. */
function declare(name: string, path: string, game: string, values: readonly JsonValue[], isList: boolean): Attribute {
  const own = { games: [game], meaning: `What the upstream calls \`${path.split('.').slice(1).join('.')}\`.` }
  if (isList) return { name, types: ['list'], ...own }
  const numbers = values.filter(isWhole).map(Number)
  if (numbers.length === 0) return { name, types: ['text'], ...own }
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const room = (number: number): number => 10 ** Math.max(2, String(Math.abs(number)).length) - 1
  // What is a number in most rows may be a word in some, such as `X`.
  const types: Attribute['types'] = numbers.length === values.length ? ['integer'] : ['integer', 'text']
  return { name, types, ...(least < 0 ? { least: -room(least) } : {}), most: room(most), ...own }
}

/** Whether the values of a field tell cards apart, and are short words, lists of them or numbers. */
function isWorth({ path, filled, rows, distinct }: FieldSeen, values: readonly JsonValue[]): boolean {
  const texts = values.flat().map(String)
  return (
    !noAttribute.test(wordOf(path)) &&
    languageTag(path.split('.').at(-1) ?? '') === undefined &&
    filled >= rows * minShare &&
    distinct > 1 &&
    !values.every(value => typeof value === 'boolean') &&
    texts.every(({ length }) => length <= maxLength) &&
    (values.every(isWhole) || distinct <= Math.max(20, rows / 4))
  )
}

/**
 * Proposes attributes for the fields of the rows that are not read as anything else. One that is declared under that
 * name, or a short name, is taken; of a game that is new others are declared, too.
 */
export function proposeAttributes(
  sample: Sample,
  used: ReadonlySet<string>,
  { game, isNew, declared }: Readonly<{ game: string; isNew: boolean; declared: readonly Attribute[] }>
): AttributeProposal {
  const map: Record<string, JsonObject[string]> = {}
  const added: Attribute[] = []
  const extended: string[] = []
  for (const field of sample.fields) {
    const { path } = field
    const name = wordOf(path)
    const values = valuesOf(sample, path)
    if (used.has(path) || path.startsWith('file') || !/^[a-z][a-z_]{1,39}$/.test(name)) continue
    if (Object.keys(map).length >= maxProposed || !isWorth(field, values)) continue
    const known =
      declared.find(one => one.name === name) ??
      declared.find(one => one.name === `${name}s` || one.short?.includes(name) === true)
    const isOpen = known === undefined || isOfGame(known, game)
    if ((known?.name ?? name) in map || (!isNew && (known === undefined || !isOpen))) continue
    const isList = values.some(value => Array.isArray(value))
    const separator = separatorOf(values)
    const attribute = known ?? declare(name, path, game, values, isList || separator !== undefined)
    if (known === undefined) added.push(attribute)
    else if (!isOpen) extended.push(known.name)
    if (separator !== undefined && attribute.types.includes('list')) {
      map[attribute.name] = { path, split: [separator] }
      continue
    }
    map[attribute.name] =
      attribute.types.includes('text') || isList || !attribute.types.includes('list')
        ? attribute.types.every(type => type === 'integer')
          ? { path, transform: ['integer'] }
          : path
        : { path, transform: ['list'] }
  }
  return { map, added, extended }
}
