import Type from 'typebox'

/** A game token as a parameter. */
export const GameToken = Type.String({ minLength: 1, maxLength: 40, description: 'Game token, in any letter case.' })
