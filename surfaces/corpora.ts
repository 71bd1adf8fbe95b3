import { Type } from 'pantry/data'
import { Partner } from './culture/partner-gallery/partner.ts'
import { Attribute } from './import/attribute.ts'
import { Currency } from './rates/rate-desk.ts'
import { RarityScale } from './catalogue/rarities.ts'
import { BoosterGame } from './directory/boosters.ts'
import { Game } from './search/game-directory.ts'

/**
 * What the services read of corpora: of each, the schema of what is read of an entry. Handlers declare theirs
 * themselves.
 */
const corpora = {
  'answering-rhymes': Type.Object({ key: Type.String(), revision: Type.String() }),
  attributes: Attribute,
  currencies: Currency,
  games: Type.Intersect([Game, Type.Object({ rarities: Type.Optional(RarityScale) })]),
  'partner-galleries': Partner,
  pulls: BoosterGame,
  // These are read whole; the corpus schemas say their form, and `surfaces/checks.ts` what a schema cannot.
  'source-policies': Type.Object({ id: Type.String() }),
  sources: Type.Object({ id: Type.String() }),
  terms: Type.Object({ version: Type.String() })
}

export default corpora
