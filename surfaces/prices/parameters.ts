import { Type } from 'pantry/data'

export const GameSlug = Type.String({
  minLength: 1,
  maxLength: 40,
  description:
    'Slug of a game with a price guide, in any letter case, for example `one-piece`. Its token is not a slug.'
})

export const SetCode = Type.String({ minLength: 1, maxLength: 100, description: 'Set code, in any letter case.' })
