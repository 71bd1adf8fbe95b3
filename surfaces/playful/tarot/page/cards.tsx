import type { DataOf } from 'pantry/data'
import { Type, type VNode } from 'pantry/page'
import { Trump } from './drawing.tsx'

const text = Type.String()

/** What the pages read of a trump. */
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

/** What the pages read of the whole pack. */
export const Deck = Type.Object({
  history: text,
  disclaimer: text,
  deck: Type.Array(Type.Object({ number: Type.Integer(), slug: text, name: text }))
})

export const pathOf = ({ slug }: Pick<Card, 'slug'>): string => `/tarot/${slug}`

/** Where a card points to, which says that programs read it. */
export const Pointer = ({ card }: Readonly<{ card: Card }>): VNode => (
  <p>
    It points to{' '}
    <a href={card.pointer_url}>
      <code>{card.pointer_url}</code>
    </a>{' '}
    (data): {card.pointer_what}
  </p>
)

/** The whole pack in small, each card a link to its page. */
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
