import type { PlayCard } from '../deck-rules.ts'
import type { NumberedEvent } from './events.ts'
import { previewOf, type Action, type Preview } from './rules.ts'
import { cardOf, inHand, opponentOf, powerOf, shownCard, unitOf, type MatchState, type Player } from './state.ts'

export function nameOf(state: MatchState, instance: string): string {
  for (const side of [state.sides.player_1, state.sides.player_2]) {
    const unit = unitOf(side, instance)
    if (unit !== undefined) return cardOf(state, unit.card).name
  }
  return instance
}

/** Returns what a unit is called: `your Leader`, `your Nami`, `the opponent's Nami`. */
function called(state: MatchState, instance: string): string {
  const yours = instance.startsWith('p1')
  if (instance.endsWith('leader')) return yours ? 'your Leader' : "the opponent's Leader"
  return yours ? `your ${nameOf(state, instance)}` : `the opponent's ${nameOf(state, instance)}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const outcomeWords: Readonly<Record<Preview['outcome'], (preview: Preview) => string>> = {
  wins_match: () => 'ends the match',
  takes_life: ({ damage }) => `takes ${plural(damage, 'Life card')}`,
  knocks_out: () => 'knocks it out',
  fails: () => 'fails'
}

const battleWords = (preview: Preview): string =>
  `${preview.attack} against ${preview.defense}: the attack ${outcomeWords[preview.outcome](preview)}`

function handCard(state: MatchState, player: Player, number: string): PlayCard | undefined {
  const index = inHand(state, state.sides[player], number)
  return index === undefined ? undefined : cardOf(state, index)
}

const replacing = (state: MatchState, replace: string | undefined): string =>
  replace === undefined ? '.' : `, putting ${called(state, replace)} in the trash.`

const numbered = (card: PlayCard | undefined, number: string): string =>
  card === undefined ? number : `${card.name} (${number})`

export function labelOf(state: MatchState, action: Action): string {
  const preview = previewOf(state, action)
  const battle = preview === null ? '' : ` ${battleWords(preview)}.`
  switch (action.type) {
    case 'mulligan':
      return action.redraw ? 'Put the whole hand back, shuffle and draw five new cards.' : 'Keep the hand.'
    case 'play': {
      const card = handCard(state, state.turnPlayer, action.card_number)
      return `Play ${numbered(card, action.card_number)} for ${card?.cost ?? 0} DON!!${replacing(state, action.replace)}`
    }
    case 'attach_don': {
      const unit = unitOf(state.sides[state.turnPlayer], action.instance)
      return `Give a DON!! card to ${called(state, action.instance)}, which then has ${unit === undefined ? 1000 : powerOf(state, state.turnPlayer, unit) + 1000} power.`
    }
    case 'attack':
      return `Attack ${called(state, action.target)} with ${called(state, action.attacker)}.${battle}`
    case 'block':
      return (action.instance === null ? 'Do not block.' : `Block with ${called(state, action.instance)}.`) + battle
    case 'counter': {
      const { card_number: number } = action
      if (number === null) return `Counter no further.${battle}`
      return `Counter with ${numbered(handCard(state, opponentOf(state.turnPlayer), number), number)}.${battle}`
    }
    case 'trigger':
      return triggerLabel(state, action)
    case 'end_turn':
      return 'End your turn.'
    case 'concede':
      return 'Concede the match.'
  }
}

function triggerLabel(state: MatchState, { use, replace }: Extract<Action, { type: 'trigger' }>): string {
  const shown = shownCard(state)
  if (shown === null) return ''
  const { name, trigger } = cardOf(state, shown)
  if (!use) return `Add ${name} to the hand without showing it.`
  if (trigger === 'other')
    return `Show ${name} and use its Trigger. What the text does is not played; the card goes to the trash.`
  return `Show ${name} and play it by its Trigger${replacing(state, replace)}`
}

export type LogLine = Readonly<{ text: string; actor: 'you' | 'opponent' | 'board' }>

const plural = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`)

const endings = {
  leader_damage_at_zero_life: 'The Leader was hit with no Life card left.',
  deck_out: 'The deck has no card left.',
  concession: 'By concession.'
} as const

/** Returns the beginning of a sentence: `You draw`, `The opponent draws`. */
const does = (player: Player, verb: string): string => {
  const third = /(?:sh|ch|o)$/.test(verb) ? `${verb}es` : `${verb}s`
  return player === 'player_1' ? `You ${verb}` : `The opponent ${third}`
}

type Names = Readonly<{
  card: (number: string) => string
  unit: (instance: string) => string
  /** Returns in words how many Life cards are left after an event. */
  lifeLeft: (event: NumberedEvent) => string
}>
type SentenceOf<Kind> = (event: NumberedEvent & Readonly<{ kind: Kind }>, names: Names) => string

/** The sentences for events. Kinds that the state shows anyway have none. */
const sentences: Readonly<{ [Kind in NumberedEvent['kind']]?: SentenceOf<Kind> }> = {
  first_player_chosen: ({ first_player: player }) => `${does(player, 'go')} first.`,
  opening_hand_drawn: ({ player, count }) => `${does(player, 'draw')} ${count} cards.`,
  mulligan_decided: ({ player, redraw }) =>
    redraw
      ? `${does(player, 'put')} the hand back and ${player === 'player_1' ? 'draw' : 'draws'} five new cards.`
      : `${does(player, 'keep')} the hand.`,
  life_placed: ({ player, count }) => `${does(player, 'lay')} ${plural(count, 'Life card')}.`,
  turn_began: ({ player, turn_number: turn }) => `Turn ${turn}: ${player === 'player_1' ? 'yours' : "the opponent's"}.`,
  draw_skipped: ({ player }) => `${does(player, 'draw')} no card on the first turn.`,
  card_drawn: ({ player }) => `${does(player, 'draw')} a card.`,
  don_placed: ({ player, count }) => `${does(player, 'place')} ${plural(count, 'DON!! card')}.`,
  card_played: ({ player, card_number: number, cost }, { card }) =>
    `${does(player, 'play')} ${card(number)}${cost === 0 ? '' : ` for ${cost} DON!!`}.`,
  card_replaced: ({ card_number: number }, { card }) => `${capital(card(number))} makes room and goes to the trash.`,
  don_given: ({ player, instance }, { unit }) =>
    `${does(player, 'give')} a DON!! card to ${unit(instance).replace(/^the opponent's/, 'their')}.`,
  attack_declared: ({ attacker, target }, { unit }) => `${capital(unit(attacker))} attacks ${unit(target)}.`,
  block_declared: ({ instance }, { unit }) => `${capital(unit(instance))} blocks.`,
  counter_value_used: ({ player, card_number: number, value }, { card }) =>
    `${does(player, 'trash')} ${card(number)} for ${value} more power.`,
  power_compared: ({ attacker_power: attack, target_power: defense, attacker_wins: wins }) =>
    `${attack} against ${defense}: the attack ${wins ? 'succeeds' : 'fails'}.`,
  character_knocked_out: ({ card_number: number }, { card }) => `${card(number)} is knocked out.`,
  life_taken: (event, { lifeLeft }) => {
    const { player, to } = event
    const isYou = player === 'player_1'
    if (to === 'hand')
      return `${does(player, 'take')} a Life card to ${isYou ? 'your' : 'their'} hand; ${lifeLeft(event)}.`
    return to === 'trash'
      ? `A Life card of ${isYou ? 'yours' : 'the opponent'} is trashed by Banish; ${lifeLeft(event)}.`
      : `${does(player, 'show')} a Life card.`
  },
  trigger_used: ({ player, card_number: number, then_to: to }, { card }) =>
    `${does(player, 'use')} the Trigger of ${card(number)}.${to === 'trash' ? ' Its text is not played here; the card goes to the trash.' : ''}`,
  turn_ended: ({ player }) => `${does(player, 'end')} the turn.`,
  match_ended: ({ reason, winner }) => `${endings[reason]} ${does(winner, 'win')} the match.`
}

/**
 * Returns how many Life cards are left after each event that takes some, computed backwards from the state after all.
 */
function lifeCounts(
  events: readonly NumberedEvent[],
  { sides, battle, turnPlayer }: MatchState
): ReadonlyMap<NumberedEvent, number> {
  const left = { player_1: sides.player_1.life.length, player_2: sides.player_2.life.length }
  // A card that is being looked at for its Trigger has left the Life cards, but no event has reported it yet.
  if (battle !== null && battle.shown !== null) left[opponentOf(turnPlayer)] += 1
  const counts = new Map<NumberedEvent, number>()
  for (const event of events.toReversed()) {
    if (event.kind !== 'life_taken') continue
    counts.set(event, left[event.player])
    left[event.player] += event.count
  }
  return counts
}

/** Describes the events of one action. The name of a card comes from the state in which it is on the field. */
export function narrate(events: readonly NumberedEvent[], before: MatchState, after: MatchState): LogLine[] {
  const cardNames = new Map(after.cards.map(({ number, name }) => [number, name]))
  const played = new Map(
    events.flatMap(event => (event.kind === 'card_played' ? [[event.instance, event.card_number] as const] : []))
  )
  const counts = lifeCounts(events, after)
  const names: Names = {
    card: number => cardNames.get(number) ?? number,
    unit: instance => {
      const number = played.get(instance)
      if (number !== undefined) return `${instance.startsWith('p1') ? 'your' : "the opponent's"} ${names.card(number)}`
      const old = called(before, instance)
      return old.endsWith(instance) ? called(after, instance) : old
    },
    lifeLeft: event => {
      const count = counts.get(event) ?? 0
      return count === 0 ? 'none is left' : count === 1 ? '1 is left' : `${count} are left`
    }
  }
  return events.flatMap((event): LogLine[] => {
    const sentence = sentences[event.kind] as SentenceOf<string> | undefined
    if (sentence === undefined) return []
    const actor = !('player' in event) ? 'board' : event.player === 'player_1' ? 'you' : 'opponent'
    return [{ text: sentence(event, names), actor }]
  })
}
