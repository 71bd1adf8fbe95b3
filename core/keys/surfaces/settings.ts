import { Type } from 'pantry/data'

export default Type.Object(
  {
    keyRequests: Type.Integer({
      minimum: 1,
      default: 120,
      description: 'How many requests a minute a key has that was issued without a limit of its own.'
    })
  },
  { additionalProperties: false }
)
