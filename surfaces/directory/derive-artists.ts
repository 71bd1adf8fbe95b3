import type { Projection } from '../catalogue/projection.ts'
import { worksShown } from './credits.ts'

/** Recounts the credits of artists for these games. */
export const deriveArtists: Projection = async (transaction, games) => {
  await transaction.raw('delete from artists where game = any(?)', [[...games]])
  await transaction.raw(
    `
    insert into artists (game, name, name_key, works, first_works)
    select game, artist, lower(artist), count(distinct sku)::int, (array_agg(distinct sku collate "C"))[1:${worksShown}] from cards, unnest(illustrators) as artist
    where game = any(?) and artist <> '' group by game, artist`,
    [[...games]]
  )
}
