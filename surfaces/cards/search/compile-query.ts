import { SurfaceError } from 'pantry/data'
import { compact, nameKey, unspaced } from './fold-name.ts'
import { hasOrder, nearest, properties, type FieldValue, type QueryField, type QueryFields } from './query-fields.ts'
import type { QueriedCard } from './query-index.ts'
import {
  parseQueryText,
  printQuery,
  queryError,
  termsOf,
  type QueryOperator,
  type TokenPlace,
  type QueryNode,
  type Term
} from './query-text.ts'

type CardFilter = (card: QueriedCard) => boolean

/** What selects the printings that are read: those with all of these. At least one of the lists has entries. */
export type Selection = Readonly<{
  game: string | undefined
  names: readonly Term[]
  sets: readonly Term[]
  numbers: readonly string[]
}>

export type Sort = Readonly<{ field: QueryField; isDescending: boolean }>

/** A query that can be run. */
export type CompiledQuery = Readonly<{
  /** The query in its usual form. */
  text: string
  /** The printings that are read: those of any of these. */
  selections: readonly Selection[]
  filter: CardFilter
  sorts: readonly Sort[]
}>

const isSort = (node: QueryNode): node is Term => node.kind === 'term' && node.field === 'sort'

const shown = (text: string): string => `\`${Array.from(text).slice(0, 60).join('')}\``

/** Returns a function that writes a term with another field, or with another value. */
const withField = (term: Term) => (field: string) => printQuery({ ...term, field })
const withValue =
  (term: Term, sign = '') =>
  (value: string) =>
    printQuery({ ...term, value: sign + value })

/** Returns the fields that a name means. Throws with the near names, written by `write`, for one without a meaning. */
function fieldsOf(
  fields: QueryFields,
  name: string,
  place: TokenPlace,
  write: (near: string) => string,
  advice = 'All are at `/api/v1/search/fields`.'
): readonly QueryField[] {
  const found = fields.named(name)
  if (found.length > 0) return found
  const near = fields.near(name)
  const nearby = near.length === 0 ? '' : ` Near: ${near.map(shown).join(', ')}.`
  throw queryError(place, `There is no field ${shown(name)}.${nearby} ${advice}`, near, write)
}

/** Compares a value with a bound, a date as far as the bound is written; undefined for a value without an order. */
function compareTo(value: FieldValue, bound: string, { kind }: QueryField): number | undefined {
  if (kind === 'integer') return typeof value === 'number' ? value - Number(bound) : undefined
  const day = String(value).slice(0, bound.length)
  return day === bound ? 0 : day < bound ? -1 : 1
}

const holds: Readonly<Record<'<' | '<=' | '>' | '>=', (difference: number) => boolean>> = {
  '<': difference => difference < 0,
  '<=': difference => difference <= 0,
  '>': difference => difference > 0,
  '>=': difference => difference >= 0
}

/** Returns those fields whose cards may have a value. Throws if none may. */
function accepting(fields: readonly QueryField[], wanted: string, term: Term): readonly QueryField[] {
  const judged = fields.map(field => ({ field, problem: field.problem?.(wanted) }))
  const accepted = judged.flatMap(({ field, problem }) => (problem === undefined ? [field] : []))
  const [first] = judged
  if (accepted.length === 0 && first?.problem !== undefined)
    throw queryError(term.place, first.problem.message, first.problem.near, withValue(term))
  return accepted
}

/** Returns a filter by an order. Throws for fields without one, and for a bound that is no number or date. */
function ordered(
  fields: readonly QueryField[],
  bounds: readonly (readonly [keyof typeof holds, string])[],
  term: Term
): CardFilter {
  const comparable = fields.filter(hasOrder)
  if (comparable.length === 0)
    throw queryError(term.place, `${shown(term.field ?? 'name')} has no order: write \`:\`, \`=\` or \`!=\`.`)
  for (const [, bound] of bounds) {
    accepting(comparable, bound, term)
    if (comparable.some(({ kind }) => kind === 'integer') && !/^[+-]?[0-9]{1,9}$/.test(bound))
      throw queryError(
        term.place,
        `${shown(bound)} is no whole number, with which ${shown(term.field ?? '')} is compared.`
      )
  }
  return card =>
    comparable.some(field =>
      field.valuesOf(card).some(value =>
        bounds.every(([operator, bound]) => {
          const difference = compareTo(value, bound, field)
          return difference !== undefined && holds[operator](difference)
        })
      )
    )
}

/** Returns the ends of a range such as `2..4`, `2..` or `..4`; undefined for a value that is none. */
function rangeIn({ value, isQuoted }: Term): readonly (readonly ['>=' | '<=', string])[] | undefined {
  const at = isQuoted ? -1 : value.indexOf('..')
  if (at === -1 || value.length === 2) return undefined
  const ends = [
    ['>=', value.slice(0, at)],
    ['<=', value.slice(at + 2)]
  ] as const
  return ends.filter(([, bound]) => bound !== '')
}

function comparison(fields: readonly QueryField[], term: Term): CardFilter {
  const { operator, value, place } = term
  const range = fields.some(hasOrder) ? rangeIn(term) : undefined
  if (operator in holds) {
    if (range !== undefined) throw queryError(place, 'Write a range after `:` or `=`.')
    return ordered(fields, [[operator as keyof typeof holds, value]], term)
  }
  if (range !== undefined) {
    const [from, to] = range
    const within = ordered(fields, range, term)
    if (from !== undefined && to !== undefined && from[1].length === to[1].length && Number(from[1]) > Number(to[1]))
      throw queryError(place, `${shown(value)} holds nothing: its first end is greater.`)
    return operator === '!=' ? card => !within(card) && fields.some(field => field.valuesOf(card).length > 0) : within
  }
  const accepted = accepting(fields, value, term)
  const isEqual: CardFilter = card => accepted.some(field => field.isEqual(card, value, operator !== ':'))
  if (operator !== '!=') return isEqual
  return card => fields.some(field => field.valuesOf(card).length > 0) && !isEqual(card)
}

/** Returns the filter of a term; `game`: the only game that the query asks for. */
function filterOf(fields: QueryFields, term: Term, game: string | undefined): CardFilter {
  const { field = 'name', value, place } = term
  if (value.trim() === '') throw queryError(place, `${shown(place.token)} holds nothing to look for.`)
  if (field === 'has') {
    const asked = fieldsOf(fields, value, place, withValue(term))
    return card => asked.some(one => one.valuesOf(card).length > 0)
  }
  if (field === 'is') {
    const property = Object.hasOwn(properties, value.toLowerCase()) ? properties[value.toLowerCase()] : undefined
    if (property !== undefined) return property.holds
    const known = Object.keys(properties)
    throw queryError(
      place,
      `Nothing is ${shown(value)} here. Known: ${known.map(shown).join(', ')}.`,
      nearest(value, known),
      withValue(term)
    )
  }
  if (field === 'sort') throw queryError(place, 'Write `sort` beside the other terms, not after `-` or with `OR`.')
  const asked = fieldsOf(fields, field, place, withField(term), 'A text with such a sign needs quotation marks.')
  const ofGame = asked.filter(({ games }) => game === undefined || games === undefined || games.includes(game))
  if (ofGame.length === 0)
    throw queryError(
      place,
      `No card of \`${game ?? ''}\` has ${shown(field)}.`,
      nearest(
        field,
        fields.all.filter(({ games }) => games === undefined || games.includes(game ?? '')).map(({ name }) => name)
      ),
      withField(term)
    )
  if (ofGame.some(({ kind }) => kind === 'name') && nameKey(value) === '')
    throw queryError(place, `${shown(place.token)} holds nothing to look for.`)
  return comparison(ofGame, term)
}

function compileFilter(fields: QueryFields, node: QueryNode, game: string | undefined): CardFilter {
  if (node.kind === 'term') return filterOf(fields, node, game)
  if (node.kind === 'not') {
    const filter = compileFilter(fields, node.of, game)
    return card => !filter(card)
  }
  const filters = node.of.map(one => compileFilter(fields, one, game))
  return node.kind === 'and'
    ? card => filters.every(filter => filter(card))
    : card => filters.some(filter => filter(card))
}

const positive: readonly QueryOperator[] = [':', '=']
const selecting = ['name', 'set', 'number'] as const

/** The fewest letters by which a name is looked for; in scripts without spaces, the fewest characters. */
const [fewestLetters, fewestCharacters] = [3, 2]

/**
 * Whether the value of a term names cards: a whole name after `=`, else a few letters of one; a number with letters, as
 * those of a set have, or any number in a game whose cards are numbered throughout. What names many cards lists them.
 */
function isNaming(
  fields: QueryFields,
  { operator, value }: Term,
  { kind }: QueryField,
  game: string | undefined
): boolean {
  if (kind === 'number') return /\p{L}/u.test(value) || fields.isNumbered(game)
  const key = compact(nameKey(value))
  return kind !== 'name' || operator === '=' || key.length >= (unspaced.test(key) ? fewestCharacters : fewestLetters)
}

const partsOf = (node: QueryNode): readonly QueryNode[] => (node.kind === 'and' ? node.of : [node])

/** Returns the only game that the parts of an `and` ask for. */
function gameOf(fields: QueryFields, node: QueryNode): string | undefined {
  const [first] = partsOf(node).flatMap(part =>
    part.kind === 'term' && positive.includes(part.operator) && fields.named(part.field ?? '')[0]?.name === 'game'
      ? [part.value]
      : []
  )
  return first
}

/** Returns what selects the cards of a part of a query; undefined if nothing does. */
function selectionsOf(
  fields: QueryFields,
  node: QueryNode,
  within: string | undefined,
  tokenOf: (game: string) => string | undefined
): readonly Selection[] | undefined {
  if (node.kind === 'not') return undefined
  if (node.kind === 'or') {
    const sides = node.of.map(one => selectionsOf(fields, one, within, tokenOf))
    return sides.every(side => side !== undefined) ? sides.flat() : undefined
  }
  const named = gameOf(fields, node)
  const game = (named === undefined ? undefined : tokenOf(named)) ?? within
  const found = { names: [] as Term[], sets: [] as Term[], numbers: [] as string[] }
  for (const part of partsOf(node)) {
    if (part.kind !== 'term' || !positive.includes(part.operator)) continue
    const [field] = fields.named(part.field ?? 'name')
    if (field?.selects !== true || !isNaming(fields, part, field, game)) continue
    if (field.kind === 'number') found.numbers.push(part.value)
    else found[field.kind === 'set' ? 'sets' : 'names'].push(part)
  }
  if (Object.values(found).some(({ length }) => length > 0)) return [{ game, ...found }]
  for (const part of partsOf(node)) {
    const inner = part.kind === 'or' ? selectionsOf(fields, part, game, tokenOf) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

/** Returns the first side of an `OR` that selects nothing, or else the whole. */
function blamed(fields: QueryFields, node: QueryNode): QueryNode {
  const choice = partsOf(node).find(part => part.kind === 'or')
  if (choice?.kind !== 'or') return node
  return choice.of.find(side => selectionsOf(fields, side, undefined, () => undefined) === undefined) ?? node
}

function sortOf(fields: QueryFields, term: Term): Sort {
  const { value, operator, place } = term
  const isDescending = value.startsWith('-')
  if (!positive.includes(operator))
    throw queryError(place, '`sort` is followed by `:` and a field, as in `sort:-cost`.')
  const [field] = fieldsOf(fields, value.replace(/^-/, ''), place, withValue(term, isDescending ? '-' : ''))
  if (field === undefined) throw queryError(place, `${shown(value)} is no field.`)
  return { field, isDescending }
}

/**
 * Compiles a query; `tokenOf` returns the token of a game by any of its names, and `within` is the token of the only
 * game whose cards are meant. Throws INVALID_INPUT that names the token, its place and near fields: for a text that is
 * no query, a field that there is not, a value that no card can have, and a query in which no name, set or number
 * selects the cards.
 */
export function compileQuery(
  text: string,
  fields: QueryFields,
  tokenOf: (game: string) => string | undefined,
  within?: string
): CompiledQuery {
  const tree = parseQueryText(text)
  const sorts = partsOf(tree).filter(isSort)
  const [only, ...others] = partsOf(tree).filter(part => !isSort(part))
  const asked: QueryNode | undefined =
    only === undefined || others.length === 0 ? only : { kind: 'and', of: [only, ...others] }
  const [first] = termsOf(asked ?? tree)
  const game = (asked === undefined ? undefined : tokenOf(gameOf(fields, asked) ?? '')) ?? within
  const filter = asked === undefined ? () => true : compileFilter(fields, asked, game)
  const compiledSorts = sorts.map(term => sortOf(fields, term))
  const selections = asked === undefined ? undefined : selectionsOf(fields, asked, within, tokenOf)
  if (selections === undefined) {
    const [term] = asked === undefined ? [first] : termsOf(blamed(fields, asked))
    throw queryError(
      term?.place ?? { token: '', at: 1 },
      `${shown(term?.place.token ?? '')} selects no cards: a query, and each side of \`OR\`, needs a name of three letters, a set, or a number with that of its set, not negated.`,
      selecting
    )
  }
  return {
    text: printQuery(tree),
    selections,
    filter: within === undefined ? filter : card => card.game === within && filter(card),
    sorts: compiledSorts
  }
}

/** Whether a text is a query without a mistake; the arguments are those of `compileQuery`. */
export function isQuery(...asked: Parameters<typeof compileQuery>): boolean {
  try {
    compileQuery(...asked)
    return true
  } catch (error) {
    if (error instanceof SurfaceError) return false
    throw error
  }
}
