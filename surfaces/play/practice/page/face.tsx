import type { ComponentChildren, VNode } from 'pantry/page'
import type { PracticeReply } from '../schemas.ts'

type Cards = PracticeReply['cards']

/** The name of a card by its number. */
export const nameIn = (cards: Cards, number: string): string => cards[number]?.name ?? number

const words = (text: string): string => text.replaceAll('_', ' ')
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * A card as type: what is printed on it as a fact, under a bar of its colours. `power`, where it is not the printed one; `children`: its state on the table,
 * in words.
 */
export function Face ({ cards, number, isRested = false, children }: Readonly<{ cards: Cards, number: string, isRested?: boolean, children?: ComponentChildren }>): VNode {
  const card = cards[number]
  const facts = card === undefined ? [] : [
    card.category === null ? '' : capital(card.category),
    (card.colours ?? []).join(' and '),
    card.life === null ? '' : `${card.life} Life`,
    card.counter === null ? '' : `Counter ${card.counter}`,
    ...card.keywords.map(words).map(capital),
    card.trigger === null ? '' : 'Trigger'
  ].filter(fact => fact !== '')
  return (
    <div class={isRested ? 'face rested' : 'face'}>
      <div class="bars" aria-hidden="true">{(card?.colours ?? []).map(colour => <span class={`bar ${colour}`} />)}</div>
      <p class="worth">{card?.cost == null ? <span /> : <span>Cost <b>{card.cost}</b></span>}{card?.power == null ? null : <span>Power <b>{card.power}</b></span>}</p>
      <p class="name">{nameIn(cards, number)}</p>
      <p class="what">{facts.join(' · ')} <span class="number">{number}</span></p>
      {children === undefined ? null : <p class="state">{children}</p>}
    </div>
  )
}
