import { Type, Text, Texts, type DataOf, type JsonValue } from 'pantry/data'
import { isBareNumber } from './withheld.ts'

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
 * A value in the declared type, where nothing is lost: a text that is a whole number, in the form that JSON has, is
 * that number where the attribute may be one, and a member that a list repeats is in it once.
 */
export function typedValue(value: JsonValue, { types }: Attribute): JsonValue {
  if (typeof value === 'string') return types.includes('integer') && wholeNumber.test(value) ? Number(value) : value
  if (!Array.isArray(value) || value.length < 2) return value
  const members = value as readonly JsonValue[]
  const once = new Set(members)
  return once.size === members.length ? members : [...once]
}

const regexes = new Map<string, RegExp>()
/** The expression of a declared form, made once. */
export function formOf(form: string): RegExp {
  const regex = regexes.get(form) ?? new RegExp(form, 'u')
  regexes.set(form, regex)
  return regex
}

/** The longest text of an attribute that does not say its own. */
const longestText = 60

/**
 * What is wrong with one text or whole number of an attribute, as the end of a sentence; any problem of a text that
 * holds what is never kept is told before.
 */
function memberProblem(
  value: JsonValue,
  { least = 0, most, form, longest = longestText, values }: Attribute
): string | undefined {
  if (values !== undefined) return values.some(known => known === value) ? undefined : `be one of ${values.join(', ')}`
  if (typeof value === 'number')
    return value < least || (most !== undefined && value > most)
      ? `lie between ${least} and ${most ?? 'any number'}`
      : undefined
  if (typeof value !== 'string') return undefined
  if (value.length > longest) return `have at most ${longest} characters`
  return (form === undefined ? !isBareNumber(value) : formOf(form).test(value))
    ? undefined
    : form === undefined
      ? 'be no bare number'
      : 'have the form that is declared for it'
}

/** Members that are known to be sound: attributes say the same of many cards. */
const mostKnown = 10_000

/**
 * Tells why a value is none of the attribute for a card of the game, or `undefined`. Null says that the source does not
 * know it.
 */
export function attributeChecker(attribute: Attribute): (value: JsonValue, game: string) => string | undefined {
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
    const type = Array.isArray(value)
      ? 'list'
      : typeof value === 'string'
        ? 'text'
        : Number.isInteger(value)
          ? 'integer'
          : undefined
    if (type === undefined || !types.includes(type))
      return `\`attributes.${name}\` must be of the type ${types.join(' or ')}.`
    if (!Array.isArray(value)) return problemOf(value)
    for (const member of value as readonly JsonValue[]) {
      const problem = problemOf(member)
      if (problem !== undefined) return problem
    }
    return undefined
  }
}
