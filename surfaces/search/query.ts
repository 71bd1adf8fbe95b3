import { Type, invalid } from 'pantry/data'
import { isWholeName, longestKey, nameKey } from './name-key.ts'

const longest = 160

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
    maxLength: longest,
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
    maxLength: longestKey,
    description:
      'A name in any language held, or its beginning, or that of a word in it. Letter case, accents and punctuation do not matter. One character, or signs such as `_____`, mean the names that are it.'
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
