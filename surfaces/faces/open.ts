import type { DataOf, ServicesPart } from 'pantry/data'
import type { GameDirectory } from '../cards/games.ts'
import type { CardInFull } from '../cards/rows.ts'
import { drawFace, faceTitle, type FaceSize } from './draw-face.ts'
import { drawnOf, type DrawnAttribute, type FaceFacts, type Glyph } from './look.ts'

type Corpora = Readonly<{
  'drawn-attributes': Readonly<{ entries: readonly DrawnAttribute[] }>
  glyphs: Readonly<{ entries: readonly DataOf<typeof Glyph>[] }>
}>

const factsOf = ({ card, set }: CardInFull): FaceFacts => ({ ...card, set_name: set.name })

/** Creates the drawer of faces. */
export function openFaces({ 'drawn-attributes': attributes, glyphs }: Corpora, games: GameDirectory) {
  const drawn = drawnOf(attributes.entries, glyphs.entries, game => games.withToken(game)?.rarities)
  return {
    services: {
      /** Draws the face of a card as SVG, and says in words what it shows. */
      drawFace: (card: CardInFull, size: FaceSize) => ({
        svg: drawFace(factsOf(card), size, drawn),
        title: faceTitle(factsOf(card))
      })
    }
  } satisfies ServicesPart<unknown>
}
