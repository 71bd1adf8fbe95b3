import type { NumberedEvent } from './events.ts'
import { other, type Player, type MatchState } from './state.ts'
import { called, capital } from './words.ts'

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
