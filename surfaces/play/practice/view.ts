import type { JsonObject, JsonValue } from 'pantry/data'
import { legalActions, previewOf } from './rules.ts'
import type { GameView, PracticeReply, SideView } from './schemas.ts'
import {
  cardOf,
  decisionOf,
  shownCard,
  unitsOf,
  type CardIndex,
  type Side,
  type MatchState,
  type BoardUnit
} from './state.ts'
import { labelOf } from './words.ts'

const numberOf = (state: MatchState, index: CardIndex): string => cardOf(state, index).number

const unitView = (state: MatchState, { id, card, rested, don }: BoardUnit): SideView['leader'] => ({
  instance: id,
  card_number: numberOf(state, card),
  power: cardOf(state, card).power ?? 0,
  orientation: rested ? 'rested' : 'active',
  given_don: don
})

const sideView = (state: MatchState, { leader, field, stage, don, hand, deck, life, trash }: Side): SideView => ({
  leader: unitView(state, leader),
  characters: field.map(unit => ({ ...unitView(state, unit), played_on_turn: unit.since })),
  stage:
    stage === null ? null : { instance: stage.id, card_number: numberOf(state, stage.card), orientation: 'active' },
  cost_area: { active: don.active, rested: don.rested },
  don_deck: don.deck,
  hand: hand.length,
  deck: deck.length,
  life: life.length,
  trash: trash.map(index => numberOf(state, index))
})

const combatView = ({ battle }: MatchState): GameView['state']['combat'] =>
  battle === null
    ? null
    : {
        step: battle.step === 'trigger' ? 'damage' : battle.step,
        attacker: battle.attacker,
        target: battle.target,
        power_added_to_attacker: 0,
        power_added_to_target: battle.added
      }

const visibleLifeCard = (state: MatchState): CardIndex | null =>
  decisionOf(state)?.player === 'player_1' ? shownCard(state) : null

/** Returns what the caller may know about a match. It depends only on the sealed state. */
export function publicGame(state: MatchState): GameView {
  const lifeCard = visibleLifeCard(state)
  return {
    you: 'player_1',
    level: state.level,
    first_player: state.first,
    state: {
      match_id: state.match,
      turn_number: state.turn,
      turn_player: state.turnPlayer,
      phase: state.phase,
      combat: combatView(state),
      players: { player_1: sideView(state, state.sides.player_1), player_2: sideView(state, state.sides.player_2) },
      result: state.result
    },
    hand: state.sides.player_1.hand.map(index => numberOf(state, index)),
    decision: decisionOf(state)?.kind ?? null,
    life_card_shown: lifeCard === null ? null : numberOf(state, lifeCard)
  }
}

/** Returns the path of the first difference, in dot notation. */
export function firstDifference(
  sent: JsonValue | undefined,
  known: JsonValue | undefined,
  path: string
): string | undefined {
  if (sent === known) return undefined
  if (
    typeof sent !== 'object' ||
    typeof known !== 'object' ||
    sent === null ||
    known === null ||
    Array.isArray(sent) !== Array.isArray(known)
  )
    return path
  const [a, b] = [sent as JsonObject, known as JsonObject]
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference(ownMember(a, name), ownMember(b, name), `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

export const ownMember = (value: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined

export const actionViews = (state: MatchState): PracticeReply['legal_actions'] =>
  legalActions(state).map(move => ({ move, label: labelOf(state, move), preview: previewOf(state, move) }))

/** Returns the facts of the cards that the caller can see, by card number. */
export function visibleCards(state: MatchState): PracticeReply['cards'] {
  const open = ({ stage, trash, ...side }: Side): readonly CardIndex[] => [
    ...unitsOf(side).map(({ card }) => card),
    ...(stage === null ? [] : [stage.card]),
    ...trash
  ]
  const { player_1: own, player_2: theirs } = state.sides
  const lifeCard = visibleLifeCard(state)
  const indexes = new Set([...open(own), ...open(theirs), ...own.hand, ...(lifeCard === null ? [] : [lifeCard])])
  return Object.fromEntries(
    [...indexes]
      .map(index => {
        const { number, ...facts } = cardOf(state, index)
        return [number, facts] as const
      })
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )
}
