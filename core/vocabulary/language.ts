// The texts of a language. A language is a dictionary from texts in the language that they were written in, of the
// framework and of a root, to the same in its own: each file `translations/<language>.yaml` is a part of it.
import { descriptions } from './descriptions.ts'
import { fragments, inPlainWords, sentences, type Word } from './texts.ts'

/** Values for the placeholders of a text, such as `{count}`. */
type TextValues = Readonly<Record<string, string | number>>

export type Language = Readonly<{
  /** Tag of the language (BCP 47). */
  tag: string
  /** A text of the framework, with values in place of its placeholders. */
  say: (word: Word, values?: TextValues) => string
  /** The dictionary: a text that is not in it stays as it is. */
  textOf: (text: string) => string
  /** A message with its values in it: of a framework's sentence, or as the dictionary has it. */
  messageOf: (message: string) => string
  /** A message in this language without what is for programs alone, such as a regular expression. */
  plainly: (message: string) => string
}>

const placeholder = /\{(\w+)\}/g

/** Puts values in place of the placeholders of a text. */
export const fill = (text: string, values: TextValues): string =>
  text.replace(placeholder, (whole, name: string) => String(values[name] ?? whole))

/** The names of the placeholders of a text, each once, sorted. */
export const placeholdersIn = (text: string): readonly string[] =>
  [...new Set(Array.from(text.matchAll(placeholder), ([, name = '']) => name))].sort()

/** A text with placeholders: what is between them, and their names. Between backticks, a value is nobody's language. */
type Pattern = Readonly<{ between: readonly string[]; names: readonly string[]; text: string; length: number }>

function patternOf(text: string): Pattern {
  const pieces = text.split(placeholder)
  const between = pieces.filter((_, at) => at % 2 === 0)
  return { between, names: pieces.filter((_, at) => at % 2 === 1), text, length: between.join('').length }
}

/** The values with which a text is made of a pattern: each as short as can be. In time linear in the text. */
function valuesIn(text: string, { between, names }: Pattern): readonly string[] | undefined {
  const [first = '', ...rest] = between
  const last = rest.at(-1) ?? ''
  if (names.length === 0 || !text.startsWith(first) || !text.endsWith(last)) return undefined
  const values: string[] = []
  let at = first.length
  for (const [index, piece] of rest.entries()) {
    const end = index === rest.length - 1 ? text.length - last.length : text.indexOf(piece, at + 1)
    if (end <= at) return undefined
    values.push(text.slice(at, end))
    at = end + piece.length
  }
  return values
}

/** The patterns of texts, those with most words of their own first. */
const patternsOf = (texts: readonly string[]): readonly Pattern[] =>
  texts.map(patternOf).sort((a, b) => b.length - a.length)

const isQuoted = ({ between }: Pattern, at: number): boolean =>
  between[at]?.endsWith('`') === true && between[at + 1]?.startsWith('`') === true

const described = patternsOf(descriptions)

/** Tells whether the framework describes a parameter or a member with this text. */
export const isDescription = (text: string): boolean =>
  described.some(pattern => pattern.text === text || valuesIn(text, pattern) !== undefined)

/** A part of a message may itself have parts; no message is deeper. */
const maxDepth = 4

/** Compiles the language of a dictionary. */
export function languageOf(tag: string, dictionary: ReadonlyMap<string, string>): Language {
  const textOf = (text: string): string => dictionary.get(text) ?? text
  const isPart = (text: string): boolean => fragments.some(fragment => fragment === text)
  const own = [...dictionary.keys()].filter(text => text.includes('{') && !isPart(text))
  const whole = patternsOf([...new Set([...sentences, ...descriptions, ...own])])
  const parts = [...patternsOf(fragments), ...whole]

  function read(text: string, patterns: readonly Pattern[], depth: number): string | undefined {
    const known = dictionary.get(text)
    if (known !== undefined || depth > maxDepth) return known
    for (const pattern of patterns) {
      const translated = dictionary.get(pattern.text)
      const values = translated === undefined ? undefined : valuesIn(text, pattern)
      if (translated === undefined || values === undefined) continue
      const named = values.map((value, at) => [
        pattern.names[at] ?? '',
        isQuoted(pattern, at) ? value : partOf(value, depth + 1)
      ])
      return fill(translated, Object.fromEntries(named) as TextValues)
    }
    return undefined
  }
  const forPrograms = patternsOf(Object.keys(inPlainWords).map(textOf))
  const plainText = new Map(Object.entries(inPlainWords).map(([text, plain]) => [textOf(text), textOf(plain)]))
  function plainly(message: string): string {
    const whole = plainText.get(message)
    if (whole !== undefined) return whole
    for (const pattern of forPrograms) {
      const values = valuesIn(message, pattern)
      if (values === undefined) continue
      const named = values.map((value, at) => [pattern.names[at] ?? '', value])
      return fill(plainText.get(pattern.text) ?? message, Object.fromEntries(named) as TextValues)
    }
    return message
  }
  const partOf = (text: string, depth: number): string =>
    /^`[^`]*`$/.test(text) ? (dictionary.get(text) ?? text) : (read(text, parts, depth) ?? text)
  return {
    tag,
    say: (word, values = {}) => fill(textOf(word), values),
    textOf,
    plainly,
    messageOf: message => (dictionary.size === 0 ? message : (read(message, whole, 0) ?? message))
  }
}

/** The tag of the language in which the framework was written. */
export const frameworkLanguage = 'en'

/** That language: every text is as it was written. */
export const english = languageOf(frameworkLanguage, new Map())
