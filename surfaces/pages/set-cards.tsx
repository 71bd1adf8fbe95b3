import { Table, type VNode } from 'pantry/page'
import { coloursOf, faceLines } from './attributes.ts'
import { CardFace } from './card-face.tsx'
import type { NumberedCard } from './numbers.ts'
import { languageName } from './words.ts'

type CardsProps = Readonly<{ caption: string; cards: readonly NumberedCard[]; hrefOf: (number: string) => string }>

const languagesOf = ({ printings }: NumberedCard): string =>
  [...new Set(printings.map(({ lang }) => lang))].map(languageName).join(', ')

export const CardTable = ({ caption, cards, hrefOf }: CardsProps): VNode => (
  <Table
    caption={caption}
    rows={cards}
    none="No card of the set is held."
    columns={[
      { head: 'Number', cell: ({ number }) => <a href={hrefOf(number)}>{number}</a> },
      { head: 'Name', cell: ({ name }) => name ?? 'not given' },
      { head: 'Rarity', cell: ({ rarity }) => rarity ?? 'not given' },
      { head: 'Languages', cell: languagesOf },
      { head: 'Printings', cell: ({ printings }) => printings.length, isNumber: true }
    ]}
  />
)

export const CardFaces = ({ caption, cards, hrefOf }: CardsProps): VNode => (
  <ul class="faces" aria-label={caption}>
    {cards.map(card => (
      <li>
        <a href={hrefOf(card.number)}>
          <CardFace
            name={card.name}
            number={card.number}
            rarity={card.rarity}
            colours={coloursOf(card.attributes)}
            lines={faceLines(card.attributes)}
          />
        </a>
      </li>
    ))}
  </ul>
)
