import type { TObject } from 'typebox'
import { Type, Text, type DataOf, type PathTo } from 'pantry/data'
import type { Catalogue } from './catalogue.ts'
import { payloadTiers, noDataReasonOf, type RegisteredSource } from './registered-source.ts'

/** The members that say that a source states no price, and why. */
export const PriceState = {
  state: Type.Enum(['observed', 'planned', 'blocked'], {
    description:
      '`observed`: rows of the source were imported here. `planned`: none were yet. `blocked`: it may not be read. It says nothing on this card.'
  }),
  withheld: Type.Literal(true, {
    description: 'No price of the source is stored, and none is published to any caller.'
  }),
  license: Type.Enum(payloadTiers, { description: 'Tier of the rows of the source.' }),
  reason: Text
}
type Stated = Readonly<{ source: RegisteredSource } & DataOf<TObject<typeof PriceState>>>

/**
 * Returns the state of each source that declares the game or is not wired (`planned` or `blocked`), in the order of the
 * registry. Rejects when the catalogue cannot be read.
 */
export async function priceStates(
  catalogue: Pick<Catalogue, 'isObserved'>,
  sources: ReadonlyMap<string, RegisteredSource>,
  game: string
): Promise<Stated[]> {
  const concerned = [...sources.values()].filter(({ access, games }) => access !== 'wired' || games.includes(game))
  return await Promise.all(
    concerned.map(async source => {
      const { id, access, access_reason: reason, payload_rights: license } = source
      const isObserved = access === 'wired' && (await catalogue.isObserved(id))
      return {
        source,
        state: access !== 'wired' ? access : isObserved ? ('observed' as const) : ('planned' as const),
        withheld: true,
        license,
        reason: access === 'wired' && !isObserved ? noDataReasonOf(source) : reason
      }
    })
  )
}

/** Returns the path of the text on how sources are read and what is withheld. */
export const conventionsPath = (pathTo: PathTo): string => `${pathTo('sources/registry')}#/data/conventions`
