/** Parameters of requests about cards, and how they are read. */
import { invalid, SurfaceError, Type, type PathTo } from 'pantry/data'
import { invalidSku } from '../common/errors.ts'
import { isWholeName, maxKeyLength, nameKey } from './search/fold-name.ts'
import { parseSku } from './sku.ts'

/** The schema of a game token as a parameter. */
export const GameToken = Type.String({ minLength: 1, maxLength: 40, description: 'Game token, in any letter case.' })

/** The schema of a date as a parameter; `requestedDate` checks that it is a date. */
export const DateText = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Calendar date, YYYY-MM-DD. It selects nothing: the answer is that of today.'
})

/** The schema of a structural hash as a parameter; `requestedHash` checks that it is a hash. */
export const HashText = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'SHA-256 in hexadecimal, in any letter case, bare or after `sha256:`.'
})

export const GameSlug = Type.String({
  minLength: 1,
  maxLength: 40,
  description:
    'Slug of a game with a price guide, in any letter case, for example `one-piece`. Its token is not a slug.'
})

export const SetCode = Type.String({ minLength: 1, maxLength: 100, description: 'Set code, in any letter case.' })

/**
 * Returns a SKU from a path in lower case. Throws `INVALID_SKU` for a text that is no canonical SKU in any letter case.
 */
export function requestedSku(text: string, pathTo: PathTo): string {
  const sku = text.toLowerCase()
  if (parseSku(sku) !== undefined) return sku
  throw new SurfaceError(invalidSku, 'Write `sku` as <game>-<set>-<number>-<lang>[-<variant>].', {
    details: { field: 'sku', documented_at: pathTo('universal/encoding') }
  })
}

const maxQueryLength = 160

const game = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Token or slug of a game, in any letter case, for example `op` or `one-piece`.'
})

/** The query parameters of both searches by number. */
export const searchQuery = {
  game,
  q: Type.String({
    minLength: 1,
    maxLength: maxQueryLength,
    pattern: '\\S',
    description:
      'Set and number as printed, the number alone, or a full SKU. Letter case does not matter, nor do leading zeros.'
  })
}

/** The query parameters of both searches by name. */
export const nameQuery = {
  game: Type.Optional(game),
  q: Type.String({
    minLength: 1,
    maxLength: maxKeyLength,
    description:
      'Words of a name in any language held, or their beginnings, also with words of the set, the number, the rarity and attributes. Letter case, accents and punctuation do not matter. One character, or signs such as `_____`, mean the names that are it.'
  })
}

/** Returns the key by which names are looked up for `q`. Throws when `q` has only white space. */
export function readName(q: string): string {
  const text = nameKey(q)
  if (text === '') throw invalid('q', '`q` holds nothing to look for: write a letter, a digit or a sign.')
  return text
}

/** Throws when `text` has no letter or digit and no name was found: there are no wildcards. */
export function checkSigns(text: string, isFound: boolean): void {
  if (!isFound && isWholeName(text) && !/[\p{L}\p{N}]/u.test(text))
    throw invalid('q', '`q` holds no letter or digit, and no name consists of these signs.')
}

const narrowing = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }))

/** The query parameters that narrow a search beside the game, see `facetNames`. */
export const facetQuery = {
  set: narrowing('Code of the set, in any letter case.'),
  rarity: narrowing('The rarity in words, or as the game of the card writes it.'),
  colour: narrowing('A value of the attribute `colours`, in any letter case.'),
  type: narrowing('A value of the attribute `category`, such as `leader`, in any letter case.')
}
