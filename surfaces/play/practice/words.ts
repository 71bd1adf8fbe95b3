import type { NumberedEvent } from './events.ts'
import { previewOf, type Action, type Preview } from './rules.ts'
import { cardOf, other, powerOf, unitOf, type MatchState, type Player } from './state.ts'

/** Returns the name of the card of an instance on the field. */
export function nameOf(state: MatchState, instance: string): string {
  for (const side of [state.sides.player_1, state.sides.player_2]) {
    const unit = unitOf(side, instance)
    if (unit !== undefined) return cardOf(state, unit.card).name
  }
  return instance
}

/** Returns how the caller would refer to an instance: `your Leader`, `your Nami`, `the opponent's Nami`. */
function called(state: MatchState, instance: string): string {
  const yours = instance.startsWith('p1')
  if (instance.endsWith('leader')) return yours ? 'your Leader' : "the opponent's Leader"
  return yours ? `your ${nameOf(state, instance)}` : `the opponent's ${nameOf(state, instance)}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

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

export type LogLine = Readonly<{ text: string; actor: 'you' | 'opponent' | 'board' }>

const plural = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`)

const endings = {
  leader_damage_at_zero_life: 'The Leader was hit with no Life card left.',
  deck_out: 'The deck has no card left.',
  concession: 'By concession.'
} as const

/** Returns a phrase such as `You draw` or `The opponent draws`. */
const does = (player: Player, verb: string): string => {
  const third = /(?:sh|ch|o)$/.test(verb) ? `${verb}es` : `${verb}s`
  return player === 'player_1' ? `You ${verb}` : `The opponent ${third}`
}

const their = (player: Player): string => (player === 'player_1' ? 'your' : 'their')

/**
 * Returns the number of Life cards left after each event that takes some, computed backwards from the state after the
 * events.
 */
function lifeLeft(
  events: readonly NumberedEvent[],
  { sides, battle, turnPlayer }: MatchState
): ReadonlyMap<NumberedEvent, number> {
  const left = { player_1: sides.player_1.life.length, player_2: sides.player_2.life.length }
  // A card that is being looked at for its Trigger has left the Life cards, but no event has reported it yet.
  if (battle !== null && battle.shown !== null) left[other(turnPlayer)] += 1
  const counts = new Map<NumberedEvent, number>()
  for (const event of events.toReversed()) {
    if (event.kind !== 'life_taken') continue
    counts.set(event, left[event.player])
    left[event.player] += event.count
  }
  return counts
}

/**
 * Describes the events of one action in sentences. `before` and `after` are the states around it: the name of a card
 * comes from the state in which it is on the field.
 */
export function narrate(events: readonly NumberedEvent[], before: MatchState, after: MatchState): LogLine[] {
  const numbers = new Map(after.cards.map(({ number, name }) => [number, name]))
  const played = new Map(
    events.flatMap(event => (event.kind === 'card_played' ? [[event.instance, event.card_number] as const] : []))
  )
  const card = (number: string): string => numbers.get(number) ?? number
  const unit = (instance: string): string => {
    const number = played.get(instance)
    if (number !== undefined) return `${instance.startsWith('p1') ? 'your' : "the opponent's"} ${card(number)}`
    const old = called(before, instance)
    return old.endsWith(instance) ? called(after, instance) : old
  }

  const own = (instance: string): string => unit(instance).replace(/^the opponent's/, 'their')
  const counts = lifeLeft(events, after)
  const left = (event: NumberedEvent): string => {
    const count = counts.get(event) ?? 0
    return count === 0 ? 'none is left' : plural(count, 'is left', 'are left')
  }

  const textOf = (event: NumberedEvent): string | undefined => {
    switch (event.kind) {
      case 'first_player_chosen':
        return `${does(event.first_player, 'go')} first.`
      case 'opening_hand_drawn':
        return `${does(event.player, 'draw')} ${event.count} cards.`
      case 'mulligan_decided':
        return event.redraw
          ? `${does(event.player, 'put')} the hand back and ${event.player === 'player_1' ? 'draw' : 'draws'} five new cards.`
          : `${does(event.player, 'keep')} the hand.`
      case 'life_placed':
        return `${does(event.player, 'lay')} ${plural(event.count, 'Life card', 'Life cards')}.`
      case 'turn_began':
        return `Turn ${event.turn_number}: ${event.player === 'player_1' ? 'yours' : "the opponent's"}.`
      case 'draw_skipped':
        return `${event.player === 'player_1' ? 'You draw' : 'The opponent draws'} no card on the first turn.`
      case 'card_drawn':
        return `${does(event.player, 'draw')} a card.`
      case 'don_placed':
        return `${does(event.player, 'place')} ${plural(event.count, 'DON!! card', 'DON!! cards')}.`
      case 'card_played':
        return `${does(event.player, 'play')} ${card(event.card_number)}${event.cost === 0 ? '' : ` for ${event.cost} DON!!`}.`
      case 'card_replaced':
        return `${capital(card(event.card_number))} makes room and goes to the trash.`
      case 'don_given':
        return `${does(event.player, 'give')} a DON!! card to ${own(event.instance)}.`
      case 'attack_declared':
        return `${capital(unit(event.attacker))} attacks ${unit(event.target)}.`
      case 'block_declared':
        return `${capital(unit(event.instance))} blocks.`
      case 'counter_value_used':
        return `${does(event.player, 'trash')} ${card(event.card_number)} for ${event.value} more power.`
      case 'power_compared':
        return `${event.attacker_power} against ${event.target_power}: the attack ${event.attacker_wins ? 'succeeds' : 'fails'}.`
      case 'character_knocked_out':
        return `${card(event.card_number)} is knocked out.`
      case 'life_taken':
        return event.to === 'hand'
          ? `${does(event.player, 'take')} a Life card to ${their(event.player)} hand; ${left(event)}.`
          : event.to === 'trash'
            ? `A Life card of ${event.player === 'player_1' ? 'yours' : 'the opponent'} is trashed by Banish; ${left(event)}.`
            : `${does(event.player, 'show')} a Life card.`
      case 'trigger_used':
        return event.then_to === 'trash'
          ? `${does(event.player, 'use')} the Trigger of ${card(event.card_number)}. Its text is not played here; the card goes to the trash.`
          : `${does(event.player, 'use')} the Trigger of ${card(event.card_number)}.`
      case 'turn_ended':
        return `${does(event.player, 'end')} the turn.`
      case 'match_ended':
        return `${endings[event.reason]} ${does(event.winner, 'win')} the match.`
      // No sentence for events that can be seen in the state.
      case 'match_created':
      case 'deck_declared':
      case 'deck_validated':
      case 'match_started':
      case 'phase_began':
      case 'given_don_returned':
      case 'cards_set_active':
      case 'block_declined':
      case 'counter_ended':
      case 'battle_ended':
        return undefined
    }
  }

  return events.flatMap((event): LogLine[] => {
    const text = textOf(event)
    if (text === undefined) return []
    if (!('player' in event)) return [{ text, actor: 'board' }]
    return [{ text, actor: event.player === 'player_1' ? 'you' : 'opponent' }]
  })
}
