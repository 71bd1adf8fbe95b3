import type { CorpusCheck, EntryProblem, JsonValue } from 'pantry/data'
import { formOf, type Attribute } from '../../catalogue/attribute.ts'
import type { Expression, Source } from '../source.ts'
import { unsafeHint } from './safer-pattern.ts'

/** Reports a `form` that is an invalid regular expression or may backtrack for a long time. */
export const checkAttribute: CorpusCheck<Attribute> = ({ form }, isSafePattern) => {
  if (form === undefined) return []
  try {
    formOf(form)
    return isSafePattern(form)
      ? []
      : [
          {
            pointer: ['form'],
            message: 'The form can backtrack without bound, or cannot be shown not to.',
            hint: unsafeHint(form, isSafePattern)
          }
        ]
  } catch (error) {
    return [
      {
        pointer: ['form'],
        message: error instanceof Error ? `${error.message}.` : String(error),
        hint: 'Write a regular expression of JavaScript with the flag `u`.'
      }
    ]
  }
}

type Plain = string | number | boolean

const list = (words: readonly Plain[]): string => words.map(word => `\`${word}\``).join(', ')

/** Returns the literal values in an expression: constants, and the replacements in `values`. */
function spelledOut(expression: Expression): readonly Plain[] {
  if (typeof expression === 'string') return []
  const own: readonly JsonValue[] =
    'const' in expression ? [expression.const] : 'first' in expression ? expression.first.flatMap(spelledOut) : []
  return [...own, ...Object.values(expression.values ?? {})].flatMap(value =>
    typeof value === 'object' ? [] : [value]
  )
}

/**
 * Returns the type of an expression's value, if the expression alone determines it; `undefined` if it depends on the
 * files.
 */
function certainType(expression: Expression): Attribute['types'][number] | undefined {
  if (typeof expression === 'string') return undefined
  const { transform = [], split, item, pattern } = expression
  if (transform.includes('list') || (split !== undefined && item === undefined)) return 'list'
  if (transform.includes('integer')) return 'integer'
  // Other modifiers apply to each member of a list and so may give a list; only `join` always gives text.
  return 'join' in expression && pattern === undefined ? 'text' : undefined
}

function fits(value: Plain, { types, values }: Attribute): boolean {
  const type = typeof value === 'number' ? 'integer' : 'text'
  return (
    (types.includes(type) || (types.includes('list') && type === 'text')) &&
    (values === undefined || values.includes(value as string | number))
  )
}

/**
 * Reports attributes of a source that are not declared, do not belong to its games, or whose types or literal values
 * differ from the declaration.
 */
export function checkAttributes({ games, reader }: Source, attributes: readonly Attribute[]): readonly EntryProblem[] {
  return Object.entries(reader?.map.attributes ?? {}).flatMap(([name, expression]): EntryProblem[] => {
    const pointer = ['reader', 'map', 'attributes', name]
    const attribute = attributes.find(one => one.name === name)
    if (attribute === undefined) {
      return [
        {
          pointer,
          message: `There is no attribute \`${name}\`.`,
          hint: `Declared in the corpus \`attributes\`: ${list(attributes.map(one => one.name))}.`
        }
      ]
    }
    const strangers = games.filter(game => attribute.games?.includes(game) === false)
    const type = certainType(expression)
    const values = spelledOut(expression).filter(value => !fits(value, attribute))
    return [
      ...(strangers.length === 0
        ? []
        : [
            {
              pointer,
              message: `\`${name}\` is no attribute of ${list(strangers)}.`,
              hint: 'Add the game to `games` of the attribute, or leave that out for all games.'
            }
          ]),
      ...(type === undefined || attribute.types.includes(type)
        ? []
        : [
            {
              pointer,
              message: `The expression gives a value of the type \`${type}\`.`,
              hint: `Types of \`${name}\`: ${list(attribute.types)}.`
            }
          ]),
      ...(values.length === 0
        ? []
        : [
            {
              pointer,
              message: `\`${name}\` cannot be ${list(values)}.`,
              hint:
                attribute.values === undefined
                  ? `Types of \`${name}\`: ${list(attribute.types)}.`
                  : `Values of \`${name}\`: ${list(attribute.values)}.`
            }
          ])
    ]
  })
}
