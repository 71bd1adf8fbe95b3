import type { DataOf } from 'pantry/data'
import { humanise, Type, type VNode } from 'pantry/page'
import { Card, pathOf, Pointer, text } from './cards.tsx'
import { Trump } from './drawing.tsx'

/** The members of a draw that the page uses. */
export const Draw = Type.Object({
  drawn_from: text,
  spread: text,
  spread_shape: Type.Object({ name: text, how_to_read_it: text }),
  draws: Type.Array(Type.Object({ position: text, meaning: text, orientation: text, reading: text, card: Card })),
  protocol: Type.Object({ spread_names: Type.Array(text) }),
  disclaimer: text
})

const names: Readonly<Record<string, string>> = {
  single: 'One card',
  three: 'A row of three',
  cross: 'A cross of five'
}

/** Returns the name of a spread in a list of spreads. */
export const spreadName = (spread: string): string => names[spread] ?? humanise(spread)

/** Shows a card at its position in the spread. */
export const Place = ({
  draw: { position, meaning, orientation, reading, card }
}: Readonly<{ draw: DataOf<typeof Draw>['draws'][number] }>): VNode => (
  <li class={`place ${position}`}>
    <h3>{humanise(position)}</h3>
    <p class="note">{meaning}</p>
    <Trump card={card} isReversed={orientation === 'reversed'} />
    <p>
      <a href={pathOf(card)}>{card.name}</a>, {orientation}
    </p>
    <p>{reading}</p>
    <p>
      <em>{card.fortune_line}</em>
    </p>
    <Pointer card={card} />
  </li>
)
