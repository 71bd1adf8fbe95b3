import { Type } from 'pantry/data'
import type { DataOf } from 'pantry/data'

/** A gallery whose feed is read, from the corpus `partner-galleries`. */
export const Partner = Type.Object({
  id: Type.String(),
  name: Type.String(),
  canonical_url: Type.String({ description: 'Origin of the gallery, without a slash at its end.' }),
  feed_url: Type.String(),
  source_ids: Type.Array(Type.String(), {
    description: 'Ids by which the partner names its sources; the first one is that of the feed.'
  })
})
export type Partner = DataOf<typeof Partner>
