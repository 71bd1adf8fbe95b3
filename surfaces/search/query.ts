import { Type, invalid } from 'pantry/data'
import { foldName, longestKey } from './name-key.ts'

const longest = 160

const game = Type.String({ minLength: 1, maxLength: 40, description: 'Token or slug of a game, in any letter case, for example `op` or `one-piece`.' })

/** What both searches by number ask for. */
export const searchQuery = {
  game,
  q: Type.String({
    minLength: 1,
    maxLength: longest,
    pattern: '\\S',
    description: 'Set and number as printed, the number alone, or a full SKU. Letter case does not matter, nor do leading zeros.'
  })
}

/** What both searches by name ask for. */
export const nameQuery = {
  game: Type.Optional(game),
  q: Type.String({
    minLength: 2,
    maxLength: longestKey,
    description: 'A name in any language held, or its beginning, or that of a word in it: at least two letters or digits. Letter case, accents and punctuation do not matter.'
  })
}

/** The folded text of `q`. Refuses one with less than two letters or digits: nothing stands for any letter. */
export function readName (q: string): string {
  const text = foldName(q)
  if (text.replaceAll(' ', '').length < 2) throw invalid('q', '`q` must have at least two letters or digits.')
  return text
}
