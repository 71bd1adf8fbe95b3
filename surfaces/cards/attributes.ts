import { invalid, Text, Texts, Type, type DataOf, type JsonObject, type JsonValue } from 'pantry/data'
import type { TSchema } from 'typebox'

/** An entry of the corpus `attributes`. */
export const Attribute = Type.Object({
  name: Text,
  short: Type.Optional(Texts),
  types: Type.Array(Type.Enum(['text', 'integer', 'list'])),
  unit: Type.Optional(Text),
  least: Type.Optional(Type.Integer()),
  most: Type.Optional(Type.Integer()),
  form: Type.Optional(Text),
  longest: Type.Optional(Type.Integer()),
  values: Type.Optional(Type.Array(Type.Union([Text, Type.Integer()]))),
  games: Type.Optional(Texts),
  names_cards: Type.Optional(Type.Literal(true)),
  meaning: Text
})
export type Attribute = DataOf<typeof Attribute>

/** Whether cards of a game may have an attribute. */
export const isOfGame = ({ games }: Pick<Attribute, 'games'>, game: string): boolean =>
  games === undefined || games.includes(game)

const regexes = new Map<string, RegExp>()
/** Returns the compiled regular expression of a declared `form`, from a cache. */
export function formOf(form: string): RegExp {
  const regex = regexes.get(form) ?? new RegExp(form, 'u')
  regexes.set(form, regex)
  return regex
}

/** A filter of cards by their attributes; a card without attributes has `null`. */
type AttributeFilter = (attributes: JsonObject | null) => boolean

const prefix = 'attribute.'

const onlyNumbers = ({ types }: Attribute): boolean => types.every(type => type === 'integer')

const wholeNumber = (description: string): TSchema => Type.Integer({ minimum: -1e9, maximum: 1e9, description })

const valueOf = (attribute: Attribute): readonly (readonly [string, TSchema])[] => {
  const name = prefix + attribute.name
  const bound = (word: string): TSchema => wholeNumber(`\`${attribute.name}\` is a whole number of ${word}.`)
  const description = `\`${attribute.name}\` is this or has it, in any letter case. ${attribute.meaning}`
  return [
    [
      name,
      onlyNumbers(attribute)
        ? wholeNumber(`\`${attribute.name}\` is this. ${attribute.meaning}`)
        : Type.String({ minLength: 1, maxLength: 80, pattern: '\\S', description })
    ],
    ...(attribute.types.includes('integer')
      ? ([
          [`${name}.min`, bound('at least this')],
          [`${name}.max`, bound('at most this')]
        ] as const)
      : [])
  ]
}

/** Returns the query parameters that filter by these attributes: by value, and integers also by `min` and `max`. */
export const filterParameters = (attributes: readonly Attribute[]): Readonly<Record<string, TSchema>> =>
  Object.fromEntries(attributes.flatMap(valueOf))

const isWord = (value: JsonValue, wanted: string): boolean =>
  typeof value !== 'object' && String(value).toLowerCase() === wanted

/**
 * Compiles one parameter to a filter. A list matches when it contains the value; a card without the attribute never
 * matches.
 */
function filterOf(parameter: string, wanted: string | number): AttributeFilter {
  const [, name = '', bound] = parameter.split('.')
  const word = String(wanted).trim().toLowerCase()
  return attributes => {
    const value = attributes?.[name] ?? null
    if (bound === undefined) return [value].flat().some(one => one !== null && isWord(one, word))
    return typeof value === 'number' && (bound === 'min' ? value >= Number(wanted) : value <= Number(wanted))
  }
}

/**
 * Throws for a parameter that starts with `attribute.` and is no filter of the game, or of any game when none is given;
 * the error lists the allowed parameters.
 */
function refuseStrangers(
  parameters: Iterable<string>,
  attributes: readonly Attribute[],
  game: string | undefined
): void {
  const allowed = Object.keys(
    filterParameters(attributes.filter(attribute => game === undefined || isOfGame(attribute, game)))
  )
  for (const parameter of parameters) {
    if (parameter.startsWith(prefix) && !allowed.includes(parameter)) {
      throw invalid(
        parameter,
        `\`${parameter.slice(0, 80)}\` filters by nothing that ${game === undefined ? 'a game declares' : `\`${game}\` declares`}.`,
        allowed
      )
    }
  }
}

/**
 * Returns why no card can have a value, and the declared values where there are some: it is not one of them, or not of
 * the declared form, in any letter case. Undefined for a value that a card may have.
 */
export function problemOf(
  wanted: string | number,
  { name, values, form }: Attribute
): Readonly<{ message: string; allowed?: NonNullable<Attribute['values']> }> | undefined {
  const word = String(wanted).trim()
  if (values?.some(value => isWord(value, word.toLowerCase())) === false)
    return { message: `\`${word}\` is no value of \`${name}\`.`, allowed: values }
  const isOfForm =
    form === undefined || [word, word.toUpperCase(), word.toLowerCase()].some(one => formOf(form).test(one))
  return isOfForm ? undefined : { message: `\`${word}\` does not have the form of \`${name}\` (\`${form}\`).` }
}

/** Throws for a value that no card can have. */
function refuseValue(parameter: string, wanted: string | number, attribute: Attribute): void {
  const problem = problemOf(wanted, attribute)
  if (problem !== undefined) throw invalid(parameter, problem.message, problem.allowed)
}

/** Throws when a query asks for a `min` of the attribute that is greater than its `max`. */
function refuseBounds(query: Readonly<Record<string, unknown>>, { name }: Attribute): void {
  const [min, max] = [`${prefix}${name}.min`, `${prefix}${name}.max`] as const
  if (query[min] !== undefined && query[max] !== undefined && Number(query[min]) > Number(query[max]))
    throw invalid(min, `\`${min}\` is greater than \`${max}\`.`)
}

type Question = Readonly<{
  query: Readonly<Record<string, unknown>>
  parameters: Iterable<string>
  attributes: readonly Attribute[]
  game: string | undefined
}>

/**
 * Throws for filters that no card of the game could ever match: this is a mistake of the caller, which an empty
 * response would hide.
 */
export function checkFilters({ query, parameters, attributes, game }: Question): void {
  refuseStrangers(parameters, attributes, game)
  for (const attribute of attributes) {
    const parameter = prefix + attribute.name
    const wanted = query[parameter]
    if (typeof wanted === 'string' || typeof wanted === 'number') refuseValue(parameter, wanted, attribute)
    refuseBounds(query, attribute)
  }
}

/** Returns the attribute parameters of a query. */
const askedOf = (query: Readonly<Record<string, unknown>>): readonly (readonly [string, string | number])[] =>
  Object.entries(query).filter((entry): entry is [string, string | number] => entry[0].startsWith(prefix))

/** Returns the attribute of each filter of a query, with a function that tells the single values that it means. */
export const valueFilters = (
  query: Readonly<Record<string, unknown>>
): readonly (readonly [name: string, isMeant: (value: string | number) => boolean])[] =>
  askedOf(query).map(([parameter, wanted]) => {
    const [, name = ''] = parameter.split('.')
    const filter = filterOf(parameter, wanted)
    return [name, value => filter({ [name]: value })]
  })

/**
 * Returns `asked`, the attribute parameters of a query, and a `filter` that requires all of them, `undefined` when
 * there are none.
 */
export function readFilter(
  query: Readonly<Record<string, unknown>>
): Readonly<{ asked: Readonly<Record<string, string | number>>; filter: AttributeFilter | undefined }> {
  const asked = askedOf(query)
  const filters = asked.map(([parameter, wanted]) => filterOf(parameter, wanted))
  return {
    asked: Object.fromEntries(asked),
    filter: filters.length === 0 ? undefined : attributes => filters.every(filter => filter(attributes))
  }
}
