import { hashCanonical, mirrorDocument, mirrorTime, type JsonObject, type MirrorText } from 'pantry/data'
import { decimalOf, ratioOf } from '../numbers.ts'
import type { Game } from '../games.ts'
import {
  maxListedPrintings,
  type CardItem,
  type GameFacts,
  type GameRow,
  type SetFacts,
  type SetListing,
  type SetRow
} from '../rows.ts'
import { canonicalCode } from '../sku.ts'
import { aboutGame, edge, fromAllOf, fromSources, linksOf, paths, rights, seedOf, withheld } from './parts.ts'

const setIdentity = (set: SetFacts): JsonObject => ({
  game: set.game,
  imported_card_count: set.card_count,
  released_at: set.released_on,
  set_code: canonicalCode(set.set_code),
  total_cards: set.declared_total
})

/** Returns the `@content_hash` of a set, which is the target hash of every edge to it. */
export const setContentHash = (set: SetFacts): string => hashCanonical(seedOf('set', setIdentity(set)))

/** Returns the item for a card in the document of its set. */
export const cardItem = (card: CardItem): JsonObject => ({
  _links: { canonical: paths.card(card.sku) },
  card_number: card.card_number,
  edge_kind: 'has_card',
  lang: card.lang,
  name: card.name,
  rarity: card.rarity,
  target_hash: card.content_hash,
  target_natural_token: card.sku,
  variant: card.variant === '' ? null : card.variant
})

/** Marks the places of the stored lists in the document of a set: no other member of their names has this value. */
const cut = '\u0001'
const cutAs = (member: string): string => `"${member}":${JSON.stringify(cut)}`

/** Writes a stored list, which is canonical JSON, in the place of a cut. */
function fill(text: string, member: string, list: string): string {
  const place = cutAs(member)
  const at = text.indexOf(place)
  return `${text.slice(0, at)}"${member}":${list}${text.slice(at + place.length)}`
}

/** Builds the document of a set, with all its cards. */
export function setDocument(set: SetRow, listing: SetListing, encoding: string): MirrorText {
  const canonical = paths.set(set.game, set.set_code)
  const siblings = paths.sets(set.game)
  const game = paths.game(set.game)
  const { before, after, etag } = mirrorDocument({
    encoding,
    kind: 'set',
    seed: seedOf('set', setIdentity(set)),
    body: {
      ...setIdentity(set),
      _links: linksOf({
        kind: 'set',
        connections: aboutGame(set.game),
        canonical,
        pattern: '/api/v1/universal/set/{code}',
        parent: game,
        siblings,
        children: `${canonical}#/cards`,
        contentHash: set.content_hash
      }),
      _note_opaque: [
        'name',
        'set_name',
        'released_note',
        ...['name', 'variant', 'rarity'].map(member => `cards[].${member}`)
      ],
      cards: cut,
      cards_returned: listing.cards,
      completeness: completenessOf(set),
      cover_image_url: null,
      first_seen_at: mirrorTime(set.first_seen_at),
      name: set.name,
      of_game: edge('in_game', set.game, set.game_hash, game),
      printed_code: set.set_code,
      printings_in: {
        count: listing.printing_count,
        printings: cut,
        printings_returned: Math.min(listing.printing_count, maxListedPrintings)
      },
      publication_boundary: { prices: withheld, cover_image: withheld },
      released_note: set.released_note,
      rights,
      set_name: set.name,
      sibling_collection: {
        edge_kind: 'sibling_collection',
        target_natural_token: set.game,
        _links: { canonical: siblings }
      }
    },
    ...fromSources(set.sources)
  })
  // The lists are much longer than the rest and their digest is stored, so the ETag combines the two digests, and the
  // lists are not hashed. The later list is filled in first, while the text before it is short.
  return {
    before,
    after: fill(fill(after, 'printings', listing.printings), 'cards', listing.items),
    etag: etag.slice(0, 16) + listing.digest.slice(0, 16)
  }
}

/** Returns how many of a set's declared card numbers the catalogue has. */
function completenessOf({
  number_count: held,
  declared_total: declared,
  counts_numbers: isOfNumbers
}: Pick<SetRow, 'number_count' | 'declared_total' | 'counts_numbers'>): JsonObject {
  const counts = { held_numbers: held, declared_total: declared }
  const without = (basis: string): JsonObject => ({
    ...counts,
    total_counts: declared === null ? null : 'unknown',
    ratio: null,
    decimal: null,
    basis
  })
  if (declared === null) return without('No source declares how many cards the set has.')
  if (held > declared || declared === 0)
    return without('More numbers are held than the set declares: its total does not count all of them.')
  if (!isOfNumbers)
    return without(
      'The numbers that were seen end below the declared total, which may count something else, such as the copies in a deck.'
    )
  return {
    ...counts,
    total_counts: 'numbers',
    ratio: ratioOf(held, declared),
    decimal: decimalOf(held, declared),
    basis: 'Distinct numbers held, in any language and variant, of the total that a source declares.'
  }
}

/** Returns the item for a set in lists of sets. */
const setItem = (set: SetRow): JsonObject => ({
  edge_kind: 'has_set',
  game: set.game,
  target_natural_token: canonicalCode(set.set_code),
  target_hash: set.content_hash,
  set_code: canonicalCode(set.set_code),
  printed_code: set.set_code,
  name: set.name,
  set_name: set.name,
  total_cards: set.declared_total,
  imported_card_count: set.card_count,
  completeness: completenessOf(set),
  released_at: set.released_on,
  first_seen_at: mirrorTime(set.first_seen_at),
  _links: { canonical: paths.set(set.game, set.set_code) }
})

/** Builds the document that lists the sets of a game. */
export function setsDocument(game: string, gameHash: string, sets: readonly SetRow[], encoding: string): MirrorText {
  const parent = paths.game(game)
  const body: JsonObject = {
    _links: linksOf({
      kind: 'sets_collection',
      connections: aboutGame(game),
      canonical: paths.sets(game),
      pattern: '/api/v1/universal/sets/{game}',
      parent,
      children: `${paths.sets(game)}#/sets`
    }),
    _note_opaque: ['sets[].name', 'sets[].set_name'],
    count: sets.length,
    game,
    of_game: edge('in_game', game, gameHash, parent),
    order: sets.every(({ released_on: day }) => day === null)
      ? 'By set code, because no source gives a day of release.'
      : 'By day of release, the first one first; then the sets without a day, by set code.',
    rights,
    sets: sets.map(setItem)
  }
  return mirrorDocument({
    encoding,
    kind: 'sets_collection',
    seed: seedOf('sets_collection', body),
    body,
    ...fromAllOf(sets)
  })
}

/** Builds the response for a code that several games use: the sets that it may mean. */
export function setChoicesDocument(code: string, sets: readonly SetRow[], encoding: string): MirrorText {
  const body: JsonObject = {
    _links: linksOf({
      kind: 'set_choices',
      connections: sets.map(set => paths.set(set.game, set.set_code)),
      canonical: paths.code(code),
      pattern: '/api/v1/universal/set/{code}',
      parent: paths.games
    }),
    _note_opaque: ['choices[].name', 'choices[].set_name'],
    choices: sets.map(setItem),
    count: sets.length,
    rights,
    set_code: canonicalCode(code)
  }
  return mirrorDocument({ encoding, kind: 'set_choices', seed: seedOf('set_choices', body), body, ...fromAllOf(sets) })
}

const gameIdentity = (game: GameFacts): JsonObject => ({
  declared_card_count: game.declared_card_count,
  game: game.game,
  imported_card_count: game.card_count,
  set_count: game.set_count
})

/** Returns the `@content_hash` of a game, which is the target hash of every edge to it. */
export const gameContentHash = (game: GameFacts): string => hashCanonical(seedOf('game', gameIdentity(game)))

/** What a game is called: its entry in the corpus `games`, if it has one. */
type Named = Readonly<{ known: Game | undefined }>
const namesOf = ({ known }: Named): string | null => (known === undefined ? null : `${paths.gameNames}/${known.token}`)

/**
 * Builds the document of one game. `recentSets` has up to five sets with a day of release, the latest first.
 */
export function gameDocument(game: GameRow & Named, recentSets: readonly SetRow[], encoding: string): MirrorText {
  const children = paths.sets(game.game)
  return mirrorDocument({
    encoding,
    kind: 'game',
    seed: seedOf('game', gameIdentity(game)),
    body: {
      ...gameIdentity(game),
      _links: linksOf({
        kind: 'game',
        connections: [...aboutGame(game.game), namesOf(game) ?? paths.gameNames],
        canonical: paths.game(game.game),
        pattern: '/api/v1/universal/game/{token}',
        parent: paths.games,
        siblings: paths.games,
        children,
        contentHash: game.content_hash
      }),
      _note_opaque: ['name', 'recent_sets[].name', 'recent_sets[].set_name'],
      first_seen_at: mirrorTime(game.first_seen_at),
      first_set_released_at: game.first_set_released_at,
      last_updated_at: mirrorTime(game.updated_at),
      latest_set_released_at: game.latest_set_released_at,
      name: game.known?.name ?? null,
      natural_token: game.game,
      recent_sets: recentSets.map(setItem),
      recent_sets_basis:
        recentSets.length === 0
          ? 'No source gives the day on which a set was released, so none is shown as recent.'
          : 'By day of release, the latest first; sets without a day are left out.',
      rights,
      sets_collection: {
        edge_kind: 'children_collection',
        target_natural_token: game.game,
        _links: { canonical: children }
      },
      sibling_collection: { edge_kind: 'sibling_collection', _links: { canonical: paths.games } }
    },
    ...fromSources(game.sources)
  })
}

const gameItem = (game: GameRow & Named): JsonObject => ({
  edge_kind: 'has_game',
  target_natural_token: game.game,
  target_hash: game.content_hash,
  name: game.known?.name ?? null,
  set_count: game.set_count,
  card_count: game.card_count,
  declared_card_count: game.declared_card_count,
  first_set_released_at: game.first_set_released_at,
  latest_set_released_at: game.latest_set_released_at,
  first_seen_at: mirrorTime(game.first_seen_at),
  _links: { canonical: paths.game(game.game), sets_collection: paths.sets(game.game), names: namesOf(game) }
})

/** Builds the document that lists all games. */
export function gamesDocument(games: readonly (GameRow & Named)[], encoding: string): MirrorText {
  const body: JsonObject = {
    _links: linksOf({
      kind: 'games_collection',
      connections: ['/api/v1/coverage', '/api/v1/sources', paths.gameNames],
      canonical: paths.games,
      pattern: paths.games,
      children: `${paths.games}#/games`
    }),
    _note_opaque: ['games[].name', 'games[].target_natural_token'],
    count: games.length,
    games: games.map(gameItem),
    rights
  }
  return mirrorDocument({
    encoding,
    kind: 'games_collection',
    seed: seedOf('games_collection', body),
    body,
    ...fromAllOf(games)
  })
}
