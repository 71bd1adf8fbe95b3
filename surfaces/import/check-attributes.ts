import Type from 'typebox'
import { Text, Texts, type CorpusCheck, type DataOf, type EntryProblem, type JsonValue } from 'pantry/data'
import { unsafeHint } from './safer-pattern.ts'
import type { Expression, Source } from './source.ts'
import { isBareId } from './withheld.ts'

/** An entry of the corpus `attributes`. */
export const Attribute = Type.Object({
  name: Text,
  types: Type.Array(Type.Enum(['text', 'integer', 'list'])),
  unit: Type.Optional(Text),
  least: Type.Optional(Type.Integer()),
  most: Type.Optional(Type.Integer()),
  form: Type.Optional(Text),
  longest: Type.Optional(Type.Integer()),
  values: Type.Optional(Type.Array(Type.Union([Text, Type.Integer()]))),
  games: Type.Optional(Texts),
  meaning: Text
})
export type Attribute = DataOf<typeof Attribute>

const wholeNumber = /^(?:0|-?[1-9][0-9]{0,14})$/

/**
 * A value in the declared type, where nothing is lost: a text that is a whole number, in the form that JSON has, is that number where the
 * attribute may be one, and a member that a list repeats is in it once.
 */
export function typedValue (value: JsonValue, { types }: Attribute): JsonValue {
  if (typeof value === 'string') return types.includes('integer') && wholeNumber.test(value) ? Number(value) : value
  if (!Array.isArray(value) || value.length < 2) return value
  const members = value as readonly JsonValue[]
  const once = new Set(members)
  return once.size === members.length ? members : [...once]
}

const regexes = new Map<string, RegExp>()
/** The expression of a declared form, made once. */
export function formOf (form: string): RegExp {
  const regex = regexes.get(form) ?? new RegExp(form, 'u')
  regexes.set(form, regex)
  return regex
}

/** A form that is no regular expression, or may take long. */
export const checkAttribute: CorpusCheck<Attribute> = ({ form }, isSafePattern) => {
  if (form === undefined) return []
  try {
    formOf(form)
    return isSafePattern(form) ? [] : [{ pointer: ['form'], message: 'The form can backtrack without bound, or cannot be shown not to.', hint: unsafeHint(form, isSafePattern) }]
  } catch (error) {
    return [{ pointer: ['form'], message: error instanceof Error ? `${error.message}.` : String(error), hint: 'Write a regular expression of JavaScript with the flag `u`.' }]
  }
}

/** The longest text of an attribute that does not say its own. */
const longestText = 60

/** What is wrong with one text or whole number of an attribute, as the end of a sentence; any problem of a text that holds what is never kept is told before. */
function memberProblem (value: JsonValue, { least = 0, most, form, longest = longestText, values }: Attribute): string | undefined {
  if (values !== undefined) return values.some(known => known === value) ? undefined : `be one of ${values.join(', ')}`
  if (typeof value === 'number') return value < least || (most !== undefined && value > most) ? `lie between ${least} and ${most ?? 'any number'}` : undefined
  if (typeof value !== 'string') return undefined
  if (value.length > longest) return `have at most ${longest} characters`
  return (form === undefined ? !isBareId(value) : formOf(form).test(value)) ? undefined : form === undefined ? 'be no bare number' : 'have the form that is declared for it'
}

/** Members that are known to be sound: attributes say the same of many cards. */
const mostKnown = 10_000

/** Tells why a value is none of the attribute for a card of the game, or `undefined`. Null says that the source does not know it. */
export function attributeChecker (attribute: Attribute): (value: JsonValue, game: string) => string | undefined {
  const { name, types, games } = attribute
  const known = new Set<JsonValue>()
  const problemOf = (member: JsonValue): string | undefined => {
    if (known.has(member)) return undefined
    const problem = memberProblem(member, attribute)
    if (problem === undefined && known.size < mostKnown) known.add(member)
    return problem === undefined ? undefined : `\`attributes.${name}\` must ${problem}.`
  }
  return (value, game) => {
    if (value === null) return undefined
    if (games?.includes(game) === false) return `\`attributes.${name}\` is no attribute of \`${game}\`.`
    const type = Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : Number.isInteger(value) ? 'integer' : undefined
    if (type === undefined || !types.includes(type)) return `\`attributes.${name}\` must be of the type ${types.join(' or ')}.`
    if (!Array.isArray(value)) return problemOf(value)
    for (const member of value as readonly JsonValue[]) {
      const problem = problemOf(member)
      if (problem !== undefined) return problem
    }
    return undefined
  }
}

type Plain = string | number | boolean

const list = (words: readonly Plain[]): string => words.map(word => `\`${word}\``).join(', ')

/** Values that an expression spells out: constants, and what others are written as. */
function spelledOut (expression: Expression): readonly Plain[] {
  if (typeof expression === 'string') return []
  const own: readonly JsonValue[] = 'const' in expression ? [expression.const] : 'first' in expression ? expression.first.flatMap(spelledOut) : []
  return [...own, ...Object.values(expression.values ?? {})].flatMap(value => typeof value === 'object' ? [] : [value])
}

/** The type that an expression certainly gives, where it decides that itself; what a file holds is not known before it is read. */
function certainType (expression: Expression): Attribute['types'][number] | undefined {
  if (typeof expression === 'string') return undefined
  const { transform = [], split, item, pattern } = expression
  if (transform.includes('list') || (split !== undefined && item === undefined)) return 'list'
  if (transform.includes('integer')) return 'integer'
  // A list is treated member by member, so only what makes one text of several is sure to be text.
  return 'join' in expression && pattern === undefined ? 'text' : undefined
}

function fits (value: Plain, { types, values }: Attribute): boolean {
  const type = typeof value === 'number' ? 'integer' : 'text'
  return (types.includes(type) || (types.includes('list') && type === 'text')) && (values === undefined || values.includes(value as string | number))
}

/** What a source says of attributes that are not declared, are none of its games, or are of another type or value than declared. */
export function checkAttributes ({ games, reader }: Source, attributes: readonly Attribute[]): readonly EntryProblem[] {
  return Object.entries(reader?.map.attributes ?? {}).flatMap(([name, expression]): EntryProblem[] => {
    const pointer = ['reader', 'map', 'attributes', name]
    const attribute = attributes.find(one => one.name === name)
    if (attribute === undefined) {
      return [{ pointer, message: `There is no attribute \`${name}\`.`, hint: `Declared in the corpus \`attributes\`: ${list(attributes.map(one => one.name))}.` }]
    }
    const strangers = games.filter(game => attribute.games?.includes(game) === false)
    const type = certainType(expression)
    const values = spelledOut(expression).filter(value => !fits(value, attribute))
    return [
      ...(strangers.length === 0 ? [] : [{ pointer, message: `\`${name}\` is no attribute of ${list(strangers)}.`, hint: 'Add the game to `games` of the attribute, or leave that out for all games.' }]),
      ...(type === undefined || attribute.types.includes(type) ? [] : [{ pointer, message: `The expression gives a value of the type \`${type}\`.`, hint: `Types of \`${name}\`: ${list(attribute.types)}.` }]),
      ...(values.length === 0 ? [] : [{
        pointer, message: `\`${name}\` cannot be ${list(values)}.`,
        hint: attribute.values === undefined ? `Types of \`${name}\`: ${list(attribute.types)}.` : `Values of \`${name}\`: ${list(attribute.values)}.`
      }])
    ]
  })
}
