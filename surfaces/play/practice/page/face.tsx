import { humanise, type ComponentChildren, type VNode } from 'pantry/page'
import type { PracticeReply } from '../schemas.ts'

type Cards = PracticeReply['cards']

/** Returns the name of a card by its number. */
export const nameIn = (cards: Cards, number: string): string => cards[number]?.name ?? number

/**
 * Shows a card as text: the facts printed on it, below a bar in its colours. `children`: its state on the table, in
 * words.
 */
export function Face({
  cards,
  number,
  isRested = false,
  children
}: Readonly<{ cards: Cards; number: string; isRested?: boolean; children?: ComponentChildren }>): VNode {
  const card = cards[number]
  const facts =
    card === undefined
      ? []
      : [
          card.category === null ? '' : humanise(card.category),
          (card.colours ?? []).join(' and '),
          card.life === null ? '' : `${card.life} Life`,
          card.counter === null ? '' : `Counter ${card.counter}`,
          ...card.keywords.map(humanise),
          card.trigger === null ? '' : 'Trigger'
        ].filter(fact => fact !== '')
  return (
    <div class={isRested ? 'play-card rested' : 'play-card'}>
      <div class="bars" aria-hidden="true">
        {(card?.colours ?? []).map(colour => (
          <span class={`bar ${colour}`} />
        ))}
      </div>
      <p class="worth">
        {card?.cost == null ? (
          <span />
        ) : (
          <span>
            Cost <b>{card.cost}</b>
          </span>
        )}
        {card?.power == null ? null : (
          <span>
            Power <b>{card.power}</b>
          </span>
        )}
      </p>
      <p class="name">{nameIn(cards, number)}</p>
      <p class="what">
        {facts.join(' · ')} <span class="number">{number}</span>
      </p>
      {children === undefined ? null : <p class="state">{children}</p>}
    </div>
  )
}
