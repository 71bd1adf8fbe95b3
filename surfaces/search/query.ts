import Type from 'typebox'

const longest = 160

/** What both searches ask for. */
export const searchQuery = {
  game: Type.String({ minLength: 1, maxLength: 40, description: 'Token or slug of a game, in any letter case, for example `op` or `one-piece`.' }),
  q: Type.String({
    minLength: 1,
    maxLength: longest,
    pattern: '\\S',
    description: 'Set and number as printed, the number alone, or a full SKU. Letter case does not matter, nor do leading zeros.'
  })
}
