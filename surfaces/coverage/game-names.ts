/** The members of a game in the corpus `games` that are needed here. */
type Game = Readonly<{ token: string; name: string; slug: string; aliases: readonly string[] }>

export type GameNames = Readonly<{ game_code: string; game_name: string | null; game_slug: string | null }>

/** Returns the names of a game; null for those that the corpus does not have. */
export function namesOf(games: readonly Game[], token: string): GameNames {
  const game = games.find(known => known.token === token)
  return { game_code: token, game_name: game?.name ?? null, game_slug: game?.slug ?? null }
}

/**
 * Returns the token of a game given by token, slug or alias in any letter case. An unknown name is returned in lower
 * case and matches no game.
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
