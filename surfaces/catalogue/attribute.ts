import { Type, Text, Texts, type DataOf } from 'pantry/data'

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

const regexes = new Map<string, RegExp>()
/** Returns the compiled regular expression of a declared `form`, from a cache. */
export function formOf(form: string): RegExp {
  const regex = regexes.get(form) ?? new RegExp(form, 'u')
  regexes.set(form, regex)
  return regex
}
