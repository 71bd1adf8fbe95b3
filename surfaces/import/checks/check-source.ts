import { suggest, type CorpusCheck, type EntryProblem, type JsonObject, type JsonValue } from 'pantry/data'
import { formOf, type Attribute } from '../../cards/attributes.ts'
import { asText } from '../reading/expression.ts'
import { tagProblem } from '../languages.ts'
import { withPolicies, type DeclaredSource, type Expression, type Source } from '../source.ts'
import { checkReader } from './check-reader.ts'
import { checkExceptions, checkWithheld } from './check-withheld.ts'
import { unsafeHint, type IsSafe } from './patterns.ts'

function checkAccess({ access, reader, where, upstream }: Source): EntryProblem[] {
  if (access !== 'wired') {
    return reader === undefined
      ? []
      : [
          {
            pointer: ['reader'],
            message: `A source that is \`${access}\` has no \`reader\`.`,
            hint: 'It is not read, so say nothing of how.'
          }
        ]
  }
  if (reader === undefined)
    return [
      {
        pointer: ['access'],
        message: 'A source that is `wired` needs a `reader`.',
        hint: 'Add it, or make the access `planned`.'
      }
    ]
  if (where === undefined)
    return [
      {
        pointer: ['access'],
        message: 'A source that is `wired` says `where` its files are.',
        hint: 'Add `where: package` or `where: folder`.'
      }
    ]
  return (where === 'package') === (upstream.package !== undefined)
    ? []
    : [
        {
          pointer: ['where'],
          message: '`where: package` needs an `upstream.package`, and `where: folder` must have none.',
          hint: 'Name the package, or write `where: folder`.'
        }
      ]
}

/** Checks the access and the reader of a declaration, without other corpora. `checkSource` checks the rest. */
export const checkDeclaration = (source: Source, isSafePattern: IsSafe): readonly EntryProblem[] => [
  ...checkAccess(source),
  ...(source.reader === undefined
    ? []
    : [
        ...checkReader(source.reader, ['reader'], isSafePattern),
        ...checkWithheld(source.reader, ['reader'], isSafePattern),
        ...checkExceptions(source.reader, ['reader'])
      ])
]

/** Returns the value of an expression that is a single constant. */
const constantOf = (expression: Expression): string | undefined =>
  typeof expression === 'object' && 'const' in expression ? asText(expression.const) : undefined

/**
 * Reports a constant game or language in the map that the source does not declare, and games without an entry in the
 * corpus `games`.
 */
function checkIdentity({ games, languages, reader }: Source, known: readonly JsonObject[] | undefined): EntryProblem[] {
  const tokens = known?.map(({ token = '' }) => asText(token))
  const undeclared = (
    [
      ['game', games],
      ['lang', languages]
    ] as const
  ).flatMap(([field, declared]): EntryProblem[] => {
    const value = reader === undefined ? undefined : constantOf(reader.map[field])
    return value === undefined || declared.includes(value.toLowerCase())
      ? []
      : [
          {
            pointer: ['reader', 'map', field],
            message: `The source does not declare ${field === 'game' ? 'the game' : 'the language'} \`${value}\`.`,
            hint: `It declares ${declared.map(one => `\`${one}\``).join(', ')}: add it to \`${field === 'game' ? 'games' : 'languages'}\`, or correct it here.`
          }
        ]
  })
  const strangers = tokens === undefined ? [] : games.filter(game => !tokens.includes(game))
  const near = (game: string): string => {
    const found = suggest(game, tokens ?? [])
    return found === undefined ? '' : `, such as \`${found}\``
  }
  const tags = languages.flatMap((tag, at) => {
    const message = tagProblem(tag)
    return message === undefined
      ? []
      : [
          {
            pointer: ['languages', at],
            message,
            hint: 'Write the tag here, and change what the upstream says with `values` of `lang`.'
          }
        ]
  })
  return [
    ...undeclared,
    ...tags,
    ...strangers.map(game => ({
      pointer: ['games', games.indexOf(game)],
      message: `There is no game \`${game}\`.`,
      hint: `Write \`corpora/games/entries/${game}.yaml\`, or take the token of an entry there${near(game)}.`
    }))
  ]
}

/** Checks what the schema of the corpus `sources` cannot. */
export const checkSource: CorpusCheck<DeclaredSource> = (declared, isSafePattern, entriesOf) => {
  const policies = entriesOf('source-policies') ?? []
  const { source, missing, unknown } = withPolicies(declared, policies)
  const unstated = [
    ...unknown.map(name => ({
      pointer: ['policies'],
      message: `There is no policy \`${name}\`.`,
      hint: `Those of \`corpora/source-policies\`: ${policies.map(({ id }) => `\`${asText(id ?? '')}\``).join(', ')}.`
    })),
    ...missing.map(member => ({
      pointer: unknown.length > 0 ? ['policies'] : [],
      message: `Neither the source nor a policy of it states \`${member}\`.`,
      hint: 'Write it here, or name a policy that does.'
    }))
  ]
  if (unstated.length > 0) return unstated
  const attributes = entriesOf('attributes') as readonly Attribute[] | undefined
  return [
    ...checkDeclaration(source, isSafePattern),
    ...checkIdentity(source, entriesOf('games')),
    ...(attributes === undefined ? [] : checkAttributes(source, attributes))
  ]
}

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
 * Reports attributes of a source and of its faces that are not declared, do not belong to its games, or whose types or
 * literal values differ from the declaration.
 */
function checkAttributes({ games, reader }: Source, attributes: readonly Attribute[]): readonly EntryProblem[] {
  const declared = [
    { at: ['attributes'], given: reader?.map.attributes },
    ...(reader?.map.faces ?? []).map((face, index) => ({ at: ['faces', index, 'attributes'], given: face.attributes }))
  ].flatMap(({ at, given = {} }) => Object.entries(given).map(([name, expression]) => ({ at, name, expression })))
  return declared.flatMap(({ at, name, expression }): EntryProblem[] => {
    const pointer = ['reader', 'map', ...at, name]
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
