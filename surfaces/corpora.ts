import { Type } from 'pantry/data'
import { Partner } from './playful/partner-gallery.ts'
import { Attribute } from './cards/attributes.ts'
import { RateCurrency } from './sources/exchange-rates.ts'
import { DrawnAttribute, Glyph } from './faces/look.ts'
import { BoosterGame } from './sources/pull-rates.ts'
import { Game } from './cards/games.ts'

/**
 * The corpora that the services read, each with the schema of the fields they use. Handlers declare theirs themselves.
 */
const corpora = {
  'answering-rhymes': Type.Object({ key: Type.String(), revision: Type.String() }),
  attributes: Attribute,
  currencies: RateCurrency,
  'drawn-attributes': DrawnAttribute,
  games: Game,
  glyphs: Glyph,
  'partner-galleries': Partner,
  pulls: BoosterGame,
  // The entries of `source-policies` and `sources` are read completely; the corpus schemas define their form, and
  // `surfaces/checks.ts` further rules.
  'source-policies': Type.Object({ id: Type.String() }),
  sources: Type.Object({ id: Type.String() }),
  terms: Type.Object({ version: Type.String() })
}

export default corpora
