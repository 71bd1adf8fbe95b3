import { hashCanonical, mirrorDocument, mirrorTime, type JsonObject, type MirrorText } from 'pantry/data'
import type { GameFacts } from './facts.ts'
import { aboutGame, linksOf, paths } from './links.ts'
import { seedOf } from './recipes.ts'
import type { GameRow, SetRow } from './rows.ts'
import { setItem } from './set-document.ts'
import { ownSources, rights } from './document-members.ts'

const gameIdentity = (game: GameFacts): JsonObject => ({
  declared_card_count: game.declared_card_count,
  game: game.game,
  imported_card_count: game.card_count,
  set_count: game.set_count
})

/** Returns the `@content_hash` of a game, which is the target hash of every edge to it. */
export const gameContentHash = (game: GameFacts): string => hashCanonical(seedOf('game', gameIdentity(game)))

/**
 * Builds the document of one game. `recentSets` has up to five sets, the latest release first; undated ones come last,
 * by code.
 */
export function gameDocument(game: GameRow, recentSets: readonly SetRow[], encoding: string): MirrorText {
  const children = paths.sets(game.game)
  return mirrorDocument({
    encoding,
    kind: 'game',
    seed: seedOf('game', gameIdentity(game)),
    body: {
      ...gameIdentity(game),
      _links: linksOf({
        kind: 'game',
        connections: aboutGame(game.game),
        canonical: paths.game(game.game),
        pattern: '/api/v1/universal/game/{token}',
        parent: paths.games,
        siblings: paths.games,
        children,
        contentHash: game.content_hash
      }),
      _note_opaque: ['recent_sets[].name', 'recent_sets[].set_name'],
      first_seen_at: mirrorTime(game.first_seen_at),
      first_set_released_at: game.first_set_released_at,
      last_updated_at: mirrorTime(game.updated_at),
      latest_set_released_at: game.latest_set_released_at,
      natural_token: game.game,
      recent_sets: recentSets.map(setItem),
      rights,
      sets_collection: {
        edge_kind: 'children_collection',
        target_natural_token: game.game,
        _links: { canonical: children }
      },
      sibling_collection: { edge_kind: 'sibling_collection', _links: { canonical: paths.games } }
    },
    ...ownSources
  })
}

const gameItem = (game: GameRow): JsonObject => ({
  edge_kind: 'has_game',
  target_natural_token: game.game,
  target_hash: game.content_hash,
  set_count: game.set_count,
  card_count: game.card_count,
  declared_card_count: game.declared_card_count,
  first_set_released_at: game.first_set_released_at,
  latest_set_released_at: game.latest_set_released_at,
  first_seen_at: mirrorTime(game.first_seen_at),
  _links: { canonical: paths.game(game.game), sets_collection: paths.sets(game.game) }
})

/** Builds the document that lists all games. */
export function gamesDocument(games: readonly GameRow[], encoding: string): MirrorText {
  const body: JsonObject = {
    _links: linksOf({
      kind: 'games_collection',
      connections: ['/api/v1/coverage', '/api/v1/sources'],
      canonical: paths.games,
      pattern: paths.games,
      children: `${paths.games}#/games`
    }),
    _note_opaque: ['games[].target_natural_token'],
    count: games.length,
    games: games.map(gameItem),
    rights
  }
  return mirrorDocument({
    encoding,
    kind: 'games_collection',
    seed: seedOf('games_collection', body),
    body,
    ...ownSources
  })
}
