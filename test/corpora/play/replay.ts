import { opponentOf, unitsOf, type Event, type Player, type Side, type State, type Unit } from './match.ts'

/** The rules broken by a recorded match are thrown as they are met. */
function demand(condition: boolean, { offset, kind }: Event, rule: string): asserts condition {
  if (!condition) throw new Error(`Event ${offset} (${kind}): ${rule}`)
}

const leaderOf = (player: Player, card: string): Unit => ({
  instance: player === 'player_1' ? 'p1_leader' : 'p2_leader',
  card_number: card,
  power: 5000,
  orientation: 'active',
  given_don: 0
})

function newSide(player: Player, leader: string): Side {
  return {
    leader: leaderOf(player, leader),
    characters: [],
    stage: null,
    cost_area: { active: 0, rested: 0 },
    don_deck: 10,
    hand: 0,
    deck: 50,
    life: 0,
    trash: []
  }
}

function pay(side: Side, count: number, event: Event): void {
  demand(side.cost_area.active >= count, event, 'the cost is paid with active DON!! cards')
  side.cost_area.active -= count
  side.cost_area.rested += count
}

function setActive(side: Side, count: number, event: Event): void {
  demand(side.cost_area.rested >= count, event, 'only rested DON!! cards become active')
  side.cost_area.rested -= count
  side.cost_area.active += count
}

function unitOf(side: Side, instance: string, event: Event): Unit {
  const unit = unitsOf(side).find(one => one.instance === instance)
  demand(unit !== undefined, event, `${instance} is on the field`)
  return unit
}

const counted = (event: Event, wanted: number): void => {
  demand(event.count === wanted, event, `the count is ${wanted}`)
}

type Step = (state: State, event: Event, own: Side, other: Side) => void
const nothing: Step = () => undefined
const rush = new Set(['OP01-025'])
const blockers = new Set(['ST01-006'])
const order = ['refresh', 'draw', 'don', 'main', 'end']
const firstTurnOf = (state: State): boolean => state.turn_number <= 2

/** What each kind of event does to the state, with the rule that allows it. */
const steps: Readonly<Record<string, Step>> = {
  match_created: nothing,
  deck_declared: (state, event) => {
    state.players[event.player] = newSide(event.player, event.leader)
  },
  deck_validated: nothing,
  first_player_chosen: (state, event) => {
    state.turn_player = event.first_player
  },
  opening_hand_drawn: (_state, event, own) => {
    counted(event, 5)
    own.deck -= 5
    own.hand += 5
  },
  mulligan_decided: (_state, event, own) => {
    demand(own.hand === 5 && own.life === 0, event, 'a hand is redrawn before Life is laid')
  },
  life_placed: (_state, event, own) => {
    own.deck -= event.count
    own.life += event.count
  },
  match_started: (state, event) => {
    demand(state.turn_player === event.first_player, event, 'the chosen player begins')
  },
  turn_began: (state, event) => {
    demand(event.turn_number === state.turn_number + 1, event, 'turns are counted one by one')
    demand(
      state.turn_number === 0 ? event.player === state.turn_player : event.player === opponentOf(state.turn_player),
      event,
      'players take turns'
    )
    Object.assign(state, { turn_number: event.turn_number, turn_player: event.player, phase: 'end' })
  },
  phase_began: (state, event) => {
    demand(
      order[(order.indexOf(state.phase) + 1) % order.length] === event.phase,
      event,
      `${event.phase} does not follow ${state.phase}`
    )
    state.phase = event.phase
  },
  given_don_returned: (_state, event, own) => {
    counted(
      event,
      unitsOf(own).reduce((sum, unit) => sum + unit.given_don, 0)
    )
    for (const unit of unitsOf(own)) unit.given_don = 0
    own.cost_area.rested += event.count
  },
  cards_set_active: (_state, event, own) => {
    const rested = unitsOf(own).filter(unit => unit.orientation === 'rested')
    demand(
      rested.map(unit => unit.instance).join() === event.instances.join() && event.don_count === own.cost_area.rested,
      event,
      'all rested cards become active'
    )
    for (const unit of rested) unit.orientation = 'active'
    setActive(own, event.don_count, event)
  },
  card_drawn: (state, event, own) => {
    demand(state.turn_number > 1, event, 'the player who goes first draws no card on the first turn')
    counted(event, 1)
    own.deck -= 1
    own.hand += 1
  },
  draw_skipped: (state, event) => {
    demand(state.turn_number === 1, event, 'only the first turn has no draw')
  },
  don_placed: (state, event, own) => {
    counted(event, Math.min(state.turn_number === 1 ? 1 : 2, own.don_deck))
    own.don_deck -= event.count
    own.cost_area.active += event.count
  },
  card_played: (state, event, own) => {
    demand(
      state.phase === 'main' && state.combat === null && own.characters.length < 5,
      event,
      'Characters are played in the Main Phase, five at most'
    )
    pay(own, event.cost, event)
    own.hand -= 1
    own.characters.push({
      instance: event.instance,
      card_number: event.card_number,
      power: event.power,
      orientation: 'active',
      given_don: 0,
      played_on_turn: state.turn_number
    })
  },
  don_given: (_state, event, own) => {
    demand(own.cost_area.active >= event.count, event, 'only active DON!! cards are given')
    own.cost_area.active -= event.count
    unitOf(own, event.instance, event).given_don += event.count
  },
  attack_declared: (state, event, own, other) => {
    demand(state.phase === 'main' && !firstTurnOf(state), event, 'no attack on the first turn of a player')
    const [attacker, target] = [unitOf(own, event.attacker, event), unitOf(other, event.target, event)]
    demand(attacker.orientation === 'active', event, 'the attacker is active')
    demand(
      attacker.played_on_turn !== state.turn_number || rush.has(attacker.card_number),
      event,
      'without Rush a Character waits a turn'
    )
    demand(target === other.leader || target.orientation === 'rested', event, 'an active Character cannot be attacked')
    attacker.orientation = 'rested'
    state.combat = {
      step: 'block',
      attacker: event.attacker,
      target: event.target,
      power_added_to_attacker: 0,
      power_added_to_target: 0
    }
  },
  block_declared: (state, event, own) => {
    const blocker = unitOf(own, event.instance, event)
    demand(
      state.combat?.step === 'block' && blocker.orientation === 'active' && blockers.has(blocker.card_number),
      event,
      'an active Blocker blocks in the Block Step'
    )
    blocker.orientation = 'rested'
    Object.assign(state.combat, { step: 'counter', target: event.instance })
  },
  block_declined: (state, event) => {
    demand(state.combat?.step === 'block', event, 'the Block Step follows the Attack Step')
    state.combat.step = 'counter'
  },
  counter_value_used: (state, event, own) => {
    demand(
      state.combat?.step === 'counter' && state.combat.target === event.instance,
      event,
      'a counter is used in the Counter Step'
    )
    own.hand -= 1
    own.trash.push(event.card_number)
    state.combat.power_added_to_target += event.value
  },
  counter_event_used: (state, event, own, other) => {
    pay(own, event.cost, event)
    steps['counter_value_used']?.(state, event, own, other)
    setActive(own, event.don_set_active, event)
  },
  counter_ended: (state, event) => {
    demand(state.combat?.step === 'counter', event, 'the Counter Step follows the Block Step')
    state.combat.step = 'damage'
  },
  power_compared: (state, event) => {
    const { combat, turn_player: player } = state
    demand(
      combat?.step === 'damage' && combat.attacker === event.attacker && combat.target === event.target,
      event,
      'power is compared in the Damage Step'
    )
    const [attacker, target] = [
      unitOf(state.players[player], event.attacker, event),
      unitOf(state.players[opponentOf(player)], event.target, event)
    ]
    demand(
      event.attacker_power === attacker.power + 1000 * attacker.given_don + combat.power_added_to_attacker,
      event,
      'the power of the attacker'
    )
    demand(
      event.target_power === target.power + combat.power_added_to_target,
      event,
      'given DON!! cards add nothing on the turn of the opponent'
    )
    demand(event.attacker_wins === event.attacker_power >= event.target_power, event, 'equal power is enough')
  },
  life_taken: (state, event, own) => {
    demand(
      state.combat?.step === 'damage' && state.combat.target === own.leader.instance && own.life > 0,
      event,
      'damage to a Leader takes a Life card'
    )
    counted(event, 1)
    own.life -= 1
    if (event.to === 'hand') own.hand += 1
  },
  trigger_used: (_state, event, own) => {
    own.trash.push(event.card_number)
    setActive(own, event.don_set_active, event)
  },
  character_knocked_out: (state, event, own) => {
    const unit = unitOf(own, event.instance, event)
    demand(
      state.combat?.target === event.instance &&
        unit.card_number === event.card_number &&
        unit.given_don === event.don_returned,
      event,
      'the target is knocked out'
    )
    own.characters.splice(own.characters.indexOf(unit), 1)
    own.trash.push(event.card_number)
    own.cost_area.rested += event.don_returned
  },
  battle_ended: state => {
    state.combat = null
  },
  turn_ended: (state, event) => {
    demand(state.phase === 'end' && state.combat === null, event, 'a turn ends in its End Phase')
  },
  match_ended: (state, event) => {
    state.result = { winner: event.winner, reason: event.reason }
  }
}

/** The state after each event, from the first on. It throws where an event breaks a rule. */
export function* replay(events: readonly Event[]): Generator<{ event: Event; state: State }> {
  const state: State = {
    match_id: events[0]?.match_id ?? '',
    turn_number: 0,
    turn_player: 'player_1',
    phase: 'setup',
    combat: null,
    result: null,
    players: { player_1: newSide('player_1', ''), player_2: newSide('player_2', '') }
  }
  for (const event of events) {
    const player = (event as Partial<Event>).player ?? state.turn_player
    const step = steps[event.kind]
    demand(step !== undefined, event, 'a known kind')
    demand(state.result === null, event, 'nothing follows the end')
    step(state, event, state.players[player], state.players[opponentOf(player)])
    yield { event, state: structuredClone(state) }
  }
}
