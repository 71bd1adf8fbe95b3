import type { Action } from './actions.ts'
import { previewOf, type Preview } from './preview.ts'
import { cardOf, other, powerOf, unitOf, type Player, type MatchState } from './state.ts'

/** Returns the name of the card of an instance on the field. */
export function nameOf(state: MatchState, instance: string): string {
  for (const side of [state.sides.player_1, state.sides.player_2]) {
    const unit = unitOf(side, instance)
    if (unit !== undefined) return cardOf(state, unit.card).name
  }
  return instance
}

/** Returns how the caller would refer to an instance: `your Leader`, `your Nami`, `the opponent's Nami`. */
export function called(state: MatchState, instance: string): string {
  const yours = instance.startsWith('p1')
  if (instance.endsWith('leader')) return yours ? 'your Leader' : "the opponent's Leader"
  return yours ? `your ${nameOf(state, instance)}` : `the opponent's ${nameOf(state, instance)}`
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const outcomeWords: Readonly<Record<Preview['outcome'], (preview: Preview) => string>> = {
  wins_match: () => 'ends the match',
  takes_life: ({ damage }) => (damage === 1 ? 'takes 1 Life card' : `takes ${damage} Life cards`),
  knocks_out: () => 'knocks it out',
  fails: () => 'fails'
}

const battleWords = (preview: Preview): string =>
  `${preview.attack} against ${preview.defense}: the attack ${outcomeWords[preview.outcome](preview)}`

function cardWords(state: MatchState, player: Player, number: string): string {
  const card = state.sides[player].hand.map(index => cardOf(state, index)).find(held => held.number === number)
  return card === undefined ? number : `${card.name} (${number})`
}

/** Describes an action in a sentence. */
export function labelOf(state: MatchState, action: Action): string {
  const preview = previewOf(state, action)
  const battle = preview === null ? '' : ` ${battleWords(preview)}.`
  switch (action.type) {
    case 'mulligan':
      return action.redraw ? 'Put the whole hand back, shuffle and draw five new cards.' : 'Keep the hand.'
    case 'play': {
      const card = state.sides[state.turnPlayer].hand
        .map(index => cardOf(state, index))
        .find(({ number }) => number === action.card_number)
      return `Play ${cardWords(state, state.turnPlayer, action.card_number)} for ${card?.cost ?? 0} DON!!${action.replace === undefined ? '' : `, putting ${called(state, action.replace)} in the trash`}.`
    }
    case 'attach_don': {
      const unit = unitOf(state.sides[state.turnPlayer], action.instance)
      return `Give a DON!! card to ${called(state, action.instance)}, which then has ${unit === undefined ? 1000 : powerOf(state, state.turnPlayer, unit) + 1000} power.`
    }
    case 'attack':
      return `Attack ${called(state, action.target)} with ${called(state, action.attacker)}.${battle}`
    case 'block':
      return `${action.instance === null ? 'Do not block.' : `Block with ${called(state, action.instance)}.`}${battle}`
    case 'counter':
      return `${action.card_number === null ? 'Counter no further.' : `Counter with ${cardWords(state, other(state.turnPlayer), action.card_number)}.`}${battle}`
    case 'trigger':
      return triggerLabel(state, action)
    case 'end_turn':
      return 'End your turn.'
    case 'concede':
      return 'Concede the match.'
  }
}

function triggerLabel(state: MatchState, { use, replace }: Extract<Action, { type: 'trigger' }>): string {
  const shown = state.battle?.shown ?? null
  if (shown === null) return ''
  const { name, trigger } = cardOf(state, shown)
  if (!use) return `Add ${name} to the hand without showing it.`
  if (trigger === 'other')
    return `Show ${name} and use its Trigger. What the text does is not played; the card goes to the trash.`
  return `Show ${name} and play it by its Trigger${replace === undefined ? '' : `, putting ${called(state, replace)} in the trash`}.`
}
