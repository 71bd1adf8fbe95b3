import { closed, Text, Type, type DataOf, type PathTo } from 'pantry/data'
import { Path } from '../cards/documents/schemas.ts'
import { faceSizes, type FaceSize } from './draw-face.ts'

export const FaceSizeName = Type.Enum(Object.keys(faceSizes) as FaceSize[], {
  default: 'poster',
  description: '`thumb` for rows of a list, `tile` for sets, `poster` for a card alone.'
})

/** The schema of a face as JSON. */
export const CardFaceSchema = closed({
  '@kind': Type.Literal('card-face'),
  sku: Text,
  size: Type.Enum(Object.keys(faceSizes) as FaceSize[]),
  width: Type.Integer({ description: 'In the units of the drawing, which are CSS pixels.' }),
  height: Type.Integer({ description: 'In the same units.' }),
  title: Type.String({ description: 'What the face shows, in words.' }),
  svg: Type.String({ description: 'The face: one SVG document without external resources.' }),
  face: Path,
  image_url: Type.Null({ description: 'No picture of the printed card is held or shown.' })
})

/** Returns the face of a card as an answer. */
export const faceBody = (
  sku: string,
  size: FaceSize,
  { svg, title }: Readonly<{ svg: string; title: string }>,
  pathTo: PathTo
): DataOf<typeof CardFaceSchema> => ({
  '@kind': 'card-face',
  sku,
  size,
  width: faceSizes[size].width,
  height: faceSizes[size].height,
  title,
  svg,
  face: `${pathTo('cards/face', { sku })}${size === 'poster' ? '' : `?size=${size}`}`,
  image_url: null
})
