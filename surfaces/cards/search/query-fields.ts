/** The fields that a query may ask for: those of every printing, and each attribute of the corpus `attributes`. */
import { editDistance, type JsonValue } from 'pantry/data'
import { problemOf, type Attribute } from '../attributes.ts'
import type { GameDirectory } from '../games.ts'
import { compact, foldName, formsOf, nameKey, unspaced } from './fold-name.ts'
import { foldNumber, searchColumns } from './number-index.ts'
import type { QueriedCard } from './query-index.ts'
import { operators, type QueryOperator } from './query-text.ts'

export type FieldValue = string | number

/** How the values of a field are compared. Only `integer` and `date` have an order. */
export const fieldKinds = ['name', 'set', 'number', 'value', 'words', 'integer', 'date'] as const
type FieldKind = (typeof fieldKinds)[number]

export type QueryField = Readonly<{
  name: string
  /** Other names; one that several fields have means any of them. */
  short: readonly string[]
  kind: FieldKind
  /** Whether `:` or `=` with the field selects the printings that are read. */
  selects: boolean
  /** The games whose cards may have it; all, when it is undefined. */
  games?: readonly string[] | undefined
  unit?: string | undefined
  values?: Attribute['values']
  meaning: string
  example: string
  valuesOf: (card: QueriedCard) => readonly FieldValue[]
  /** Whether the card is what is asked: exactly for `=`, in the usual way for `:`. */
  isEqual: (card: QueriedCard, wanted: string, isExact: boolean) => boolean
  /** Returns why no card can have a value, and near ones. */
  problem?: (wanted: string) => Readonly<{ message: string; near: readonly string[] }> | undefined
}>

/** Whether values of a field are compared by order. */
export const hasOrder = ({ kind }: Pick<QueryField, 'kind'>): boolean => kind === 'integer' || kind === 'date'

/** The operators that may be between a field and its value. */
export const operatorsOf = (field: QueryField): readonly QueryOperator[] =>
  operators.filter(operator => hasOrder(field) || !/[<>]/.test(operator))

const same = (a: FieldValue, b: string): boolean => String(a).toLowerCase() === b.trim().toLowerCase()

/** Whether a folded text has folded words next to each other, from the beginning of a word on. */
const hasBeginning = (text: string, words: string): boolean =>
  unspaced.test(words) ? text.includes(words) : ` ${text}`.includes(` ${words}`)

/** Whether a text has whole words next to each other; signs alone have to be the text. */
function hasWords(text: FieldValue, wanted: string): boolean {
  const words = foldName(wanted)
  if (words === '') return same(text, wanted)
  const folded = foldName(String(text))
  return unspaced.test(words) ? folded.includes(words) : ` ${folded} `.includes(` ${words} `)
}

/** Whether a rarity is what is wanted, in any letter case, or in other words of `spoken` (see `spokenRarities`). */
export const isRarity = (
  rarity: string,
  wanted: string,
  spoken: ReturnType<GameDirectory['spokenRarities']>
): boolean => same(rarity, wanted) || spoken.get(rarity)?.some(phrase => foldName(phrase) === foldName(wanted)) === true

const codeForms = (code: string): readonly string[] => [compact(foldName(code)), foldNumber(code)]

/**
 * Returns at most three words that are like a word: those with the fewest edits, then those that begin with it or that
 * it begins with. Single letters are like none.
 */
export function nearest(word: string, candidates: Iterable<string>): readonly string[] {
  const lower = word.toLowerCase()
  const limit = lower.length <= 3 ? 1 : lower.length <= 7 ? 2 : 3
  return [...new Set(candidates)]
    .filter(candidate => candidate.length > 1)
    .map(candidate => {
      const edits = editDistance(lower, candidate.toLowerCase(), limit)
      const begins = lower.length > 1 && (candidate.startsWith(lower) || lower.startsWith(candidate))
      return { candidate, edits: edits > limit && !begins ? Infinity : edits }
    })
    .filter(({ edits }) => edits < Infinity)
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

const one = (value: string | null): readonly string[] => (value === null || value === '' ? [] : [value])

const datePattern = /^[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?$/

/** Returns the fields that every printing has, whatever its game. */
const ownFields = (games: GameDirectory): readonly QueryField[] => {
  const gameOf = (wanted: string): string | undefined => games.find(wanted)?.token
  const words = (
    of: (card: QueriedCard) => readonly string[]
  ): Pick<QueryField, 'kind' | 'selects' | 'valuesOf' | 'isEqual'> => ({
    kind: 'words',
    selects: false,
    valuesOf: of,
    isEqual: (card, wanted, isExact) => of(card).some(text => (isExact ? same(text, wanted) : hasWords(text, wanted)))
  })
  return [
    {
      name: 'name',
      short: ['n'],
      kind: 'name',
      selects: true,
      meaning: 'A word of the name in any language held, or its beginning; with `=` the whole name.',
      example: 'name:luffy',
      valuesOf: ({ names }) => names,
      isEqual: ({ names }, wanted, isExact) =>
        names.some(name =>
          isExact || foldName(wanted) === ''
            ? compact(nameKey(name)) === compact(nameKey(wanted))
            : formsOf(foldName(name)).some(form => hasBeginning(form, foldName(wanted)))
        )
    },
    {
      name: 'set',
      short: ['s'],
      kind: 'set',
      selects: true,
      meaning: 'The code of the set, or words of its name; with `=` the code alone.',
      example: 'set:op05',
      valuesOf: ({ set_code: code }) => [code],
      isEqual: ({ set_code: code, set_names: names }, wanted, isExact) =>
        codeForms(code).some(form => form !== '' && codeForms(wanted).includes(form)) ||
        (!isExact && names.some(name => hasWords(name, wanted)))
    },
    {
      name: 'number',
      short: ['cn'],
      kind: 'number',
      selects: true,
      meaning:
        'The number as it is printed, with its set or alone; alone it selects nothing, but in games that number all cards. Leading zeros do not matter.',
      example: 'number:OP05-119',
      valuesOf: ({ card_number: number }) => [number],
      isEqual: (card, wanted) => {
        const keys = searchColumns(card).map(key => key.slice(card.game.length + 1))
        return keys.includes(foldNumber(wanted)) || same(card.card_number, wanted)
      }
    },
    {
      name: 'game',
      short: ['g'],
      kind: 'value',
      selects: false,
      meaning: 'The token, the slug or another name of the game.',
      example: 'game:one-piece',
      valuesOf: ({ game }) => [game],
      isEqual: ({ game }, wanted) => gameOf(wanted) === game,
      problem: wanted =>
        gameOf(wanted) === undefined
          ? {
              message: `No game is called \`${wanted}\` here.`,
              near: nearest(
                wanted,
                games.all.flatMap(({ token, slug }) => [token, slug])
              )
            }
          : undefined
    },
    {
      name: 'rarity',
      short: ['r'],
      kind: 'value',
      selects: false,
      meaning: 'The rarity as the game writes it, or in words.',
      example: 'rarity:sr',
      valuesOf: ({ rarity }) => one(rarity),
      isEqual: ({ game, rarity }, wanted) => rarity !== null && isRarity(rarity, wanted, games.spokenRarities(game))
    },
    {
      name: 'lang',
      short: ['l', 'language'],
      kind: 'value',
      selects: false,
      meaning: 'The language of the printing. `lang:zh` has its scripts and regions too, `lang=zh` has not.',
      example: 'lang:ja',
      valuesOf: ({ lang }) => [lang],
      isEqual: ({ lang }, wanted, isExact) =>
        same(lang, wanted) || (!isExact && lang.startsWith(`${wanted.toLowerCase()}-`))
    },
    {
      name: 'variant',
      short: ['v'],
      meaning: 'Which printing of the number it is, as its source calls it. The ordinary one has none.',
      example: 'has:variant',
      ...words(({ variant }) => one(variant))
    },
    {
      name: 'released',
      short: ['date', 'year'],
      kind: 'date',
      selects: false,
      meaning: 'The day of the set, as a year, a month or a day (ISO 8601).',
      example: 'year>=2023',
      valuesOf: ({ released_on: day }) => one(day),
      isEqual: ({ released_on: day }, wanted) => day?.startsWith(wanted) === true,
      problem: wanted =>
        datePattern.test(wanted)
          ? undefined
          : { message: `\`${wanted}\` is no date: write 2023, 2023-05 or 2023-05-27.`, near: [] }
    },
    {
      name: 'artist',
      short: ['a', 'illustrator'],
      meaning: 'Words of the name of an illustrator.',
      example: 'has:artist',
      ...words(({ illustrators }) => illustrators)
    }
  ]
}

const isScalar = (value: JsonValue): value is FieldValue => typeof value === 'string' || typeof value === 'number'

function attributeField(attribute: Attribute): QueryField {
  const { name, short = [], types, values, form, games, unit, meaning } = attribute
  const kind = types.includes('integer') ? 'integer' : values === undefined && form === undefined ? 'words' : 'value'
  const valuesOf: QueryField['valuesOf'] = ({ attributes }) => [attributes?.[name] ?? null].flat().filter(isScalar)
  const example = values?.[0] ?? (kind === 'integer' ? 1 : undefined)
  return {
    name,
    short,
    kind,
    selects: false,
    games,
    unit,
    values,
    meaning,
    example: example === undefined ? `has:${name}` : `${name}:${example}`,
    valuesOf,
    isEqual: (card, wanted, isExact) =>
      valuesOf(card).some(value => (kind === 'words' && !isExact ? hasWords(value, wanted) : same(value, wanted))),
    problem: wanted => {
      const isNumber = /^[+-]?[0-9]{1,9}$/.test(wanted.trim())
      if (types.every(type => type === 'integer') && !isNumber)
        return { message: `\`${wanted}\` is no whole number, which \`${name}\` is.`, near: [] }
      const problem = problemOf(wanted, attribute)
      return problem && { message: problem.message, near: nearest(wanted, (problem.allowed ?? []).map(String)) }
    }
  }
}

/** Properties that are asked for by `is:`. A new one is an entry here. */
export const properties: Readonly<
  Record<string, Readonly<{ meaning: string; holds: (card: QueriedCard) => boolean }>>
> = {
  reprint: {
    meaning: 'A reprint of a number, where its source calls it one.',
    holds: ({ attributes }) => attributes?.['reprint_of'] !== undefined
  },
  variant: { meaning: 'Another printing of the number than the ordinary one.', holds: ({ variant }) => variant !== '' }
}

/** The words before a colon that are no fields. */
export const reserved = ['has', 'is', 'sort'] as const

/** The fields of queries, by all their names. */
export class QueryFields {
  readonly all: readonly QueryField[]
  readonly #byName = new Map<string, readonly QueryField[]>()

  readonly #games: GameDirectory

  constructor(attributes: readonly Attribute[], games: GameDirectory) {
    this.#games = games
    this.all = [...ownFields(games), ...attributes.map(attributeField)]
    for (const field of this.all)
      for (const name of [field.name, ...field.short])
        this.#byName.set(name, [...(this.#byName.get(name) ?? []), field])
  }

  /** Returns the fields that a name means; none for a name that means nothing. */
  named(name: string): readonly QueryField[] {
    return this.#byName.get(name.toLowerCase()) ?? []
  }

  /** Whether a number alone names a card of the game. */
  isNumbered(game: string | undefined): boolean {
    return this.#games.find(game ?? '')?.numbers === 'game'
  }

  /** Returns the names that are most like a name, also of `has`, `is` and `sort`. */
  near(name: string): readonly string[] {
    return nearest(name, [...this.#byName.keys(), ...reserved])
  }
}

const made = new WeakMap<GameDirectory, Readonly<{ attributes: readonly Attribute[]; fields: QueryFields }>>()

/** Returns the fields of queries, which are made once for each state of the corpora. */
export function queryFieldsOf(attributes: readonly Attribute[], games: GameDirectory): QueryFields {
  const known = made.get(games)
  if (known?.attributes === attributes) return known.fields
  const fields = new QueryFields(attributes, games)
  made.set(games, { attributes, fields })
  return fields
}
