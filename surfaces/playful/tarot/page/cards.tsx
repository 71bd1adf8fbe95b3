import type { DataOf } from 'pantry/data'
import { Type, type VNode } from 'pantry/page'
import { Trump } from './drawing.tsx'

export const text = Type.String()

/** The members of a trump that the pages use. */
export const Card = Type.Object({
  number: Type.Integer(),
  slug: text,
  name: text,
  traditional_meaning: text,
  upright: text,
  reversed: text,
  fortune_line: text,
  pointer_url: text,
  pointer_what: text
})
export type Card = DataOf<typeof Card>

/** The members of the deck that the pages use. */
export const Deck = Type.Object({
  history: text,
  disclaimer: text,
  deck: Type.Array(Type.Object({ number: Type.Integer(), slug: text, name: text }))
})

export const pathOf = ({ slug }: Pick<Card, 'slug'>): string => `/tarot/${slug}`

/** Links to the data that a card points to, marked as data for programs. */
export const Pointer = ({ card }: Readonly<{ card: Card }>): VNode => (
  <p>
    It points to{' '}
    <a href={card.pointer_url}>
      <code>{card.pointer_url}</code>
    </a>{' '}
    (data): {card.pointer_what}
  </p>
)

/** Shows all cards in small, each a link to its page. */
export const Pack = ({ deck }: Readonly<{ deck: readonly Pick<Card, 'number' | 'slug' | 'name'>[] }>): VNode => (
  <ul class="pack">
    {deck.map(card => (
      <li>
        <a href={pathOf(card)}>
          <Trump card={card} />
          <span>{card.name}</span>
        </a>
      </li>
    ))}
  </ul>
)
