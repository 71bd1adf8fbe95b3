import { Type } from 'pantry/data'
import { Partner } from './culture/partner-gallery/partner.ts'
import { Attribute } from './catalogue/attribute.ts'
import { RateCurrency } from './rates/rate-desk.ts'
import { RarityScale } from './catalogue/rarities.ts'
import { BoosterGame } from './directory/boosters.ts'
import { Game } from './search/game-directory.ts'

/**
 * The corpora that the services read, each with the schema of the fields they use. Handlers declare theirs themselves.
 */
const corpora = {
  'answering-rhymes': Type.Object({ key: Type.String(), revision: Type.String() }),
  attributes: Attribute,
  currencies: RateCurrency,
  games: Type.Intersect([Game, Type.Object({ rarities: Type.Optional(RarityScale) })]),
  'partner-galleries': Partner,
  pulls: BoosterGame,
  // These entries are read completely; the corpus schemas define their form, and `surfaces/checks.ts` further rules.
  'source-policies': Type.Object({ id: Type.String() }),
  sources: Type.Object({ id: Type.String() }),
  terms: Type.Object({ version: Type.String() })
}

export default corpora
