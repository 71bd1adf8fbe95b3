import { documentOf } from './content.ts'

export type Player = 'player_1' | 'player_2'
export type Unit = {
  instance: string
  card_number: string
  power: number
  orientation: 'active' | 'rested'
  given_don: number
  played_on_turn?: number
}
export type Side = {
  leader: Unit
  characters: Unit[]
  stage: null
  cost_area: { active: number; rested: number }
  don_deck: number
  hand: number
  deck: number
  life: number
  trash: string[]
}
export type Combat = {
  step: string
  attacker: string
  target: string
  power_added_to_attacker: number
  power_added_to_target: number
}
export type State = {
  match_id: string
  turn_number: number
  turn_player: Player
  phase: string
  combat: Combat | null
  players: Record<Player, Side>
  result: { winner: string; reason: string } | null
}
/** Every member that some event has; which of them an event has is what the published schema says. */
export type Event = {
  offset: number
  kind: string
  player: Player
  instance: string
  card_number: string
  count: number
  leader: string
  main_deck: Record<string, number>
  first_player: Player
  turn_number: number
  phase: string
  instances: string[]
  don_count: number
  cost: number
  power: number
  attacker: string
  target: string
  value: number
  don_set_active: number
  don_returned: number
  attacker_power: number
  target_power: number
  attacker_wins: boolean
  to: string
  winner: string
  reason: string
  match_id: string
}
export type Intent = {
  at_offset: number
  intent: { kind: string }
  reply: { accepted: boolean; appended_event: Event | null; new_offset: number | null; error: { code: string } | null }
}

export const match = documentOf('play-example-match') as {
  event_count: number
  events: Event[]
  snapshots: { after_offset: number; state: State }[]
  intent_examples_count: number
  intent_examples: Intent[]
  kinds_demonstrated: { match_event: string[]; intent: string[]; intent_reply_errors: string[] }
}

export const opponentOf = (player: Player): Player => (player === 'player_1' ? 'player_2' : 'player_1')
export const unitsOf = (side: Side): Unit[] => [side.leader, ...side.characters]
