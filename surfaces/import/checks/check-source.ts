import { suggest, type CorpusCheck, type EntryProblem, type JsonObject } from 'pantry/data'
import type { Attribute } from '../../catalogue/attribute.ts'
import { checkAttributes } from './check-attributes.ts'
import { checkExceptions } from './check-exceptions.ts'
import { checkReader } from './check-reader.ts'
import { checkWithheld } from './check-withheld.ts'
import { asText } from '../reading/modifiers.ts'
import type { IsSafe } from './safer-pattern.ts'
import { withPolicies, type DeclaredSource } from './policies.ts'
import type { Expression, Source } from '../source.ts'

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

/** Reports everything wrong with a declaration that can be seen without other corpora. */
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
 * Reports games and languages in the map that the source does not declare, and games without an entry in the corpus
 * `games`.
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
  return [
    ...undeclared,
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
