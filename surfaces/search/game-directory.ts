import { Type, invalid, type DataOf } from 'pantry/data'
import { PrintedForm } from '../catalogue/printed-number.ts'

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
  printed_numbers: Type.Array(PrintedForm)
})
export type Game = DataOf<typeof Game>

/** All games of the corpus, whether or not the catalogue has cards of them. */
export class GameDirectory {
  readonly #byName: ReadonlyMap<string, Game>
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

  /**
   * Returns the game with a token, slug or alias, in any letter case. Throws an error that lists the games when there
   * is none.
   */
  named(name: string): Game {
    const game = this.#byName.get(name.trim().toLowerCase())
    if (game !== undefined) return game
    throw invalid(
      'game',
      `No game is called \`${name}\` here. Write a token such as \`op\`, or a slug such as \`one-piece\`.`,
      this.all.flatMap(({ token, slug }) => (token === slug ? [token] : [token, slug]))
    )
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
