import { defineDerived, notFound, Type } from 'pantry/handler'
import { cardNotFound } from '../cards/card-history.ts'
import { bodyOf, cardMirror, densities, otherMirror } from '../cards/documents/card.ts'
import { encodingDocument, EncodingSchema } from '../cards/documents/encoding.ts'
import {
  CardSchema,
  GameSchema,
  GamesSchema,
  SetChoicesSchema,
  SetSchema,
  SetsSchema
} from '../cards/documents/schemas.ts'
import {
  gameDocument,
  gamesDocument,
  setChoicesDocument,
  setDocument,
  setsDocument
} from '../cards/documents/sets-and-games.ts'
import { acceptedLanguages, hasOtherName, wantedLanguages } from '../cards/languages.ts'
import { GameToken } from '../cards/parameters.ts'
import { dayOf } from '../common/calendar.ts'
import { defineHandler } from '../define.ts'

export const encoding = defineDerived({
  reply: EncodingSchema,
  derive: ({ registry }) => ({ mirror: encodingDocument(registry.service.encoding) })
})

export const games = defineHandler({
  entries: { in: 'games', key: 'target_natural_token' },
  reply: GamesSchema,
  version: ({ kept }) => kept.version(),
  handle: async (_request, { catalogue, encoding, games }) => {
    const held = await catalogue.games()
    return {
      mirror: gamesDocument(
        held.map(game => ({ ...game, known: games.withToken(game.game) })),
        encoding
      )
    }
  }
})

const recentSets = 5

export const game = defineHandler({
  params: Type.Object({ token: GameToken }),
  entries: { key: 'game' },
  reply: GameSchema,
  version: ({ kept }) => kept.version(),
  async handle({ params, pathTo }, { catalogue, encoding, games }) {
    const token = params.token.toLowerCase()
    const [game, recent] = await Promise.all([catalogue.game(token), catalogue.recentSets(token, recentSets)])
    if (game === undefined) throw notFound('game', params.token, { field: 'token', games: pathTo('universal/games') })
    return { mirror: gameDocument({ ...game, known: games.withToken(token) }, recent, encoding) }
  }
})

export const sets = defineHandler({
  params: Type.Object({ game: GameToken }),
  entries: { in: 'sets', key: 'target_natural_token' },
  reply: SetsSchema,
  version: ({ kept }) => kept.version(),
  async handle({ params, pathTo }, { catalogue, encoding }) {
    const game = params.game.toLowerCase()
    const sets = await catalogue.sets(game)
    const [first] = sets
    if (first === undefined)
      throw notFound('game with imported sets', params.game, { field: 'game', games: pathTo('universal/games') })
    return { mirror: setsDocument(game, first.game_hash, sets, encoding) }
  }
})

/**
 * Returns the document of a set. Answers 300 with the choices if several games use the code and `game` is not given.
 */
export const set = defineHandler({
  params: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 100, description: 'Set code, in any letter case.' })
  }),
  query: Type.Object({ game: Type.Optional(GameToken) }),
  entries: { in: 'cards', key: 'target_natural_token' },
  reply: Type.Union([SetSchema, SetChoicesSchema]),
  version: ({ kept }) => kept.version(),
  async handle({ params, query, pathTo }, { catalogue, encoding }) {
    const sets = await catalogue.setsByCode(params.code, query.game?.toLowerCase())
    const [set] = sets
    if (set === undefined) {
      throw query.game === undefined
        ? notFound('set', params.code, { field: 'code', games: pathTo('universal/games') })
        : notFound(`set of the game \`${query.game}\` with the code`, params.code, {
            field: 'code',
            game: query.game,
            games: pathTo('universal/games')
          })
    }
    if (sets.length > 1) return { status: 300, mirror: setChoicesDocument(params.code.toLowerCase(), sets, encoding) }
    return { mirror: setDocument(set, await catalogue.listingOf(set), encoding) }
  }
})

/** Sent if another Accept-Language header would select another name (RFC 9110 §12.5.5). */
const byLanguage = { headers: { Vary: 'Accept-Language' } }

/**
 * Returns the document of a card. The normal one with the stored name is precomputed; the other forms are built from
 * the facts. The language only selects the displayed name and does not affect the content hash.
 */
export const card = defineHandler({
  params: Type.Object({
    sku: Type.String({ minLength: 1, maxLength: 160, description: 'Card SKU, in any letter case.' })
  }),
  query: Type.Object({
    density: Type.Optional(
      Type.Enum([...densities], { default: 'normal', description: 'How much of the card the document shows.' })
    ),
    lang: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$',
        maxLength: 35,
        description:
          'Language of the name: an ISO 639 code or a BCP 47 tag. It goes before what Accept-Language asks for.'
      })
    )
  }),
  entries: { key: 'sku' },
  reply: CardSchema,
  version: async ({ kept }, now) => `${await kept.version()} ${dayOf(now)}`,
  async handle({ params, query, headers, now }, { catalogue, cardHistory, encoding, rarities }) {
    const sku = params.sku.toLowerCase()
    const { density = 'normal', lang } = query
    const asked = lang === undefined ? [] : [lang.toLowerCase()]
    const accepted = density === 'sparse' ? [] : acceptedLanguages(headers['accept-language'])
    const isStored = density === 'normal' && asked.length === 0
    const row = isStored ? await catalogue.card(sku) : undefined
    // Few cards have another name; only for these is the requested language relevant.
    const held =
      isStored && (accepted.length === 0 || row?.has_other_name !== true) ? undefined : await catalogue.cardInFull(sku)
    const wanted = held === undefined ? asked : wantedLanguages(held.card, asked, accepted)
    const depends = density !== 'sparse' && (row?.has_other_name ?? (held !== undefined && hasOtherName(held.card)))
    const vary = depends ? byLanguage : {}
    if (row !== undefined && wanted.length === 0)
      return { mirror: cardMirror(row, rarities.textOf(row), encoding, now), ...vary }
    if (held === undefined) throw await cardNotFound(params.sku, cardHistory)
    return {
      mirror: otherMirror(
        held.card,
        date => bodyOf(held, density, { date, wanted, rarity: rarities.of(held.card) }),
        encoding,
        now
      ),
      ...vary
    }
  }
})
