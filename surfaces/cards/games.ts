import { invalid, Type, type CorpusCheck, type DataOf, type EntryProblem } from 'pantry/data'
import { RarityScale } from './rarities.ts'

/** One form in which numbers are printed on the cards of a game, from the corpus `games`. */
const PrintedForm = Type.Object({
  form: Type.String(),
  pattern: Type.String({
    description: 'Matched against the number in lower case; its groups are those of a `PrintedNumber`.'
  }),
  set: Type.Optional(
    Type.String({ description: 'The set of all numbers of this form, when they do not name it themselves.' })
  ),
  examples: Type.Array(Type.String())
})
type PrintedForm = DataOf<typeof PrintedForm>

/** The parts of a printed number; `undefined` for a part that is unknown. */
type PrintedNumber = Readonly<{
  /** The name of the form that matched. */
  form: string
  number: string
  /** The set in the number, or else the set that the form declares for all its numbers. */
  set: string | undefined
  /** The number of cards in the set, as printed after the number. */
  total: string | undefined
}>

/** The groups that a pattern may have; `number` is required. */
const printedGroups = ['number', 'set', 'total'] as const

const compiled = new Map<string, RegExp>()

function regexOf(pattern: string): RegExp {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const regex = new RegExp(pattern, 'u')
  compiled.set(pattern, regex)
  return regex
}

/**
 * Parses a printed number by the forms of its game; the first form that matches is used. Letter case and surrounding
 * white space are ignored.
 */
export function parsePrintedNumber(forms: readonly PrintedForm[], text: string): PrintedNumber | undefined {
  const lower = text.trim().toLowerCase()
  for (const { form, pattern, set } of forms) {
    const groups = regexOf(pattern).exec(lower)?.groups
    const number = groups?.['number']
    if (groups !== undefined && number !== undefined)
      return { form, number, set: groups['set'] ?? set, total: groups['total'] }
  }
  return undefined
}

/** A game as an entry of the corpus `games` describes it. */
export const Game = Type.Object({
  token: Type.String(),
  name: Type.String(),
  short_name: Type.String(),
  slug: Type.String(),
  aliases: Type.Array(Type.String()),
  publisher: Type.String(),
  languages: Type.Array(Type.String()),
  curated: Type.Boolean({ description: 'Whether the game has a price guide.' }),
  numbers: Type.Enum(['set', 'game'], {
    description: 'Whether a number alone names one card of a set, or one card of the whole game.'
  }),
  printed_numbers: Type.Array(PrintedForm),
  rarities: Type.Optional(RarityScale)
})
export type Game = DataOf<typeof Game>

/** A text that says the set and the number of a card; `game` is undefined for any game. */
export type NumberReading = Readonly<{ game: string | undefined; text: string }>

/** All games of the corpus, whether or not the catalogue has cards of them. */
export class GameDirectory {
  readonly #byName: ReadonlyMap<string, Game>
  readonly #spoken = new Map<string | undefined, ReadonlyMap<string, readonly string[]>>()
  /** All games, as the constructor received them. */
  readonly all: readonly Game[]

  constructor(games: readonly Game[]) {
    this.all = games
    // Tokens come last and so override slugs and aliases with the same text.
    this.#byName = new Map([
      ...games.flatMap(game => game.aliases.map(alias => [alias, game] as const)),
      ...games.map(game => [game.slug, game] as const),
      ...games.map(game => [game.token, game] as const)
    ])
  }

  /** Returns the game with a token, slug or alias, in any letter case. */
  find(name: string): Game | undefined {
    return this.#byName.get(name.trim().toLowerCase())
  }

  /** Returns the game of `find`. Throws an error that lists the games when there is none. */
  named(name: string): Game {
    const game = this.find(name)
    if (game !== undefined) return game
    throw invalid(
      'game',
      `No game is called \`${name}\` here. Write a token such as \`op\`, or a slug such as \`one-piece\`.`,
      this.all.flatMap(({ token, slug }) => (token === slug ? [token] : [token, slug]))
    )
  }

  /** Returns the game with a token; `undefined` for a token that no game of the corpus has. */
  withToken(token: string): Game | undefined {
    return this.all.find(game => game.token === token)
  }

  /**
   * Returns other ways to write a number of a game or of any game, as set and number: where its printed form stands for
   * a set, as `P-A 050` does; and without the total of the set behind it, as in `A1 036/286`.
   */
  readNumber(text: string, token?: string): readonly NumberReading[] {
    const games = this.all.filter(game => token === undefined || game.token === token)
    const forms = games.flatMap(({ token: game, printed_numbers: forms }) => {
      const { set, number } = parsePrintedNumber(forms, text) ?? {}
      return set === undefined ? [] : [{ game, text: `${set.replace(/[^a-z0-9]/g, '')} ${number ?? ''}` }]
    })
    const short = text.replace(/(?<=\S\s+\S*[0-9])\s*\/\s*[0-9]+\s*$/, '')
    return short === text ? forms : [...forms, { game: token, text: short }]
  }

  /** Returns other words for the rarities of a game or of all games, by the rarity as the games write it. */
  spokenRarities(token?: string): ReadonlyMap<string, readonly string[]> {
    const known = this.#spoken.get(token)
    if (known !== undefined) return known
    const words = new Map<string, readonly string[]>()
    for (const { rarities } of this.all.filter(game => token === undefined || game.token === token))
      for (const [spoken, rarity] of Object.entries(rarities?.names ?? {}))
        words.set(rarity, [...(words.get(rarity) ?? []), spoken])
    this.#spoken.set(token, words)
    return words
  }

  /** Returns the game whose price guide has this slug, in any letter case. */
  guide(slug: string): Game | undefined {
    return this.all.find(game => game.curated && game.slug === slug.toLowerCase())
  }

  /** The slugs of the games with a price guide, sorted. */
  get guides(): readonly string[] {
    return this.all
      .filter(({ curated }) => curated)
      .map(({ slug }) => slug)
      .sort()
  }
}

const list = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')

function checkPattern(
  pattern: string,
  isSafe: (pattern: string) => boolean
): Omit<EntryProblem, 'pointer'> | undefined {
  let groups: readonly string[]
  try {
    // The added empty alternative always matches, and the match object then has the names of all groups.
    groups = Object.keys(new RegExp(`${pattern}|`, 'u').exec('')?.groups ?? {})
  } catch (error) {
    return {
      message: error instanceof Error ? `${error.message}.` : String(error),
      hint: 'Write a regular expression of JavaScript with the flag `u`.'
    }
  }
  const strange = groups.find(name => !(printedGroups as readonly string[]).includes(name))
  if (strange !== undefined)
    return { message: `Nothing reads the group \`${strange}\`.`, hint: `Groups: ${list(printedGroups)}.` }
  if (!groups.includes('number'))
    return { message: 'The pattern has no group `number`.', hint: 'A group is written `(?<number>…)`.' }
  if (!pattern.startsWith('^') || !pattern.endsWith('$'))
    return { message: 'The pattern does not cover the whole number.', hint: 'Start it with `^` and end it with `$`.' }
  return isSafe(pattern)
    ? undefined
    : {
        message: 'The pattern can backtrack without bound, or cannot be shown not to.',
        hint: 'Write it so that each character can be matched in one way only.'
      }
}

/**
 * Checks what the schema of the corpus `games` cannot: invalid, incomplete or unsafe patterns, and examples that no
 * form or another form matches first.
 */
export const checkGame: CorpusCheck<Pick<Game, 'printed_numbers'>> = ({ printed_numbers: forms }, isSafePattern) => {
  const wrong = forms.flatMap(({ pattern }, index): EntryProblem[] => {
    const problem = checkPattern(pattern, isSafePattern)
    return problem === undefined ? [] : [{ pointer: ['printed_numbers', index, 'pattern'], ...problem }]
  })
  if (wrong.length > 0) return wrong
  return forms.flatMap(({ form, examples }, index) =>
    examples.flatMap((example, at): EntryProblem[] => {
      const read = parsePrintedNumber(forms, example)?.form
      return read === form
        ? []
        : [
            {
              pointer: ['printed_numbers', index, 'examples', at],
              message:
                read === undefined
                  ? `No form reads the example \`${example}\`.`
                  : `The example \`${example}\` is read by the form \`${read}\`.`,
              hint: 'The first form that matches counts, so the narrower one comes first.'
            }
          ]
    })
  )
}
