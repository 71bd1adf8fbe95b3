/** What is needed of a game of the corpus `games`. */
type Game = Readonly<{ token: string; name: string; slug: string; aliases: readonly string[] }>

export type GameNames = Readonly<{ game_code: string; game_name: string | null; game_slug: string | null }>

/** How a game is called; null where the corpus does not know it. */
export function namesOf(games: readonly Game[], token: string): GameNames {
  const game = games.find(known => known.token === token)
  return { game_code: token, game_name: game?.name ?? null, game_slug: game?.slug ?? null }
}

/**
 * The token of a game that a filter names by token, slug or alias, in any letter case. An unknown name stays as it is
 * and matches no game.
 */
export function tokenOf(games: readonly Game[], name: string | undefined): string | null {
  if (name === undefined) return null
  const key = name.toLowerCase()
  return (
    games.find(({ token }) => token === key)?.token ??
    games.find(({ slug, aliases }) => slug === key || aliases.includes(key))?.token ??
    key
  )
}
