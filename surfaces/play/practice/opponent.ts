import { blockersOf, countersOf, damageOf } from './battle.ts'
import { compare, isReady, legalActions, mayBattle, targetsOf, type Action } from './rules.ts'
import {
  cardOf,
  decisionOf,
  fightersOf,
  hasKeyword,
  inHand,
  isPlayable,
  opponentOf,
  randomBelow,
  powerOf,
  shownCard,
  unitsOf,
  type BoardUnit,
  type CardIndex,
  type Decision,
  type MatchState
} from './state.ts'

/**
 * Chooses the action of the built-in opponent from what a player in its place may see: its own hand and the open cards.
 * `easy` picks a random legal action, `normal` the one worth most at the moment; `hard` also checks whether it can win
 * this turn, keeps its blockers active, and counters with as little as suffices.
 */
export function chooseAction(state: MatchState): Action {
  const decision = decisionOf(state)
  if (decision === null) throw new Error('Nothing is decided in a match that is over.')
  const choice = state.level === 'easy' ? randomAction(state) : bestActions[decision.kind](state)
  return choice ?? { type: 'end_turn' }
}

function randomAction(state: MatchState): Action | undefined {
  const actions = legalActions(state).filter(({ type }) => type !== 'concede')
  const [at] = randomBelow(state.random, actions.length)
  return actions[at]
}

/** Redraws a hand without a Character of cost 3 or less. */
function bestMulligan(state: MatchState): Action {
  const cards = state.sides[state.mulligan ?? state.first].hand.map(index => cardOf(state, index))
  return { type: 'mulligan', redraw: !cards.some(({ category, cost }) => category === 'character' && (cost ?? 0) <= 3) }
}

/** Returns what a card is worth to its player, in Life cards: 1 is as much as one Life card. */
function worthOf(state: MatchState, index: CardIndex): number {
  const { power, keywords } = cardOf(state, index)
  return 0.5 + (power ?? 0) / 3000 + (keywords.includes('blocker') ? 0.8 : 0) + (keywords.length > 0 ? 0.2 : 0)
}

/** An action to consider. `worth` is in Life cards; `don` are the DON!! cards that it needs in total. */
type Option = Readonly<{ action: Action; worth: number; don: number }>

const donWorth = 0.45

function bestPlan(state: MatchState): Action | undefined {
  const side = state.sides[state.turnPlayer]
  const options = [...plays(state), ...attacks(state)].filter(({ worth, don }) => worth > 0 && don <= side.don.active)
  options.sort((a, b) => b.worth - b.don * donWorth - (a.worth - a.don * donWorth))
  const best = options.find(({ worth, don }) => worth > don * donWorth)
  return best?.action
}

function plays(state: MatchState): Option[] {
  const side = state.sides[state.turnPlayer]
  return legalActions(state).flatMap((action): Option[] => {
    if (action.type !== 'play') return []
    const index = inHand(state, side, action.card_number)
    if (index === undefined || !isPlayable(cardOf(state, index))) return []
    const { category, cost } = cardOf(state, index)
    const old = side.field.find(({ id }) => id === action.replace)
    const lost = old === undefined ? 0 : worthOf(state, old.card) + 0.5
    // The cost is added to the worth, because a card played now also acts in later turns.
    const worth = category === 'stage' ? 0 : worthOf(state, index) - lost + (cost ?? 0) * donWorth
    return [{ action, worth, don: cost ?? 0 }]
  })
}

function attacks(state: MatchState): Option[] {
  if (!mayBattle(state)) return []
  const side = state.sides[state.turnPlayer]
  const opposing = state.sides[opponentOf(state.turnPlayer)]
  const ready = unitsOf(side).filter(unit => isReady(state, unit))
  const awake = opposing.field.filter(unit => !unit.rested && hasKeyword(state, unit, 'blocker')).length
  const rushing = state.level === 'hard' && ready.length > opposing.life.length + awake
  return ready.flatMap(attacker =>
    targetsOf(opposing).map((target): Option => {
      const missing = powerOf(state, opponentOf(state.turnPlayer), target) - powerOf(state, state.turnPlayer, attacker)
      const don = Math.max(0, Math.ceil(missing / 1000))
      const action: Action =
        don === 0
          ? { type: 'attack', attacker: attacker.id, target: target.id }
          : { type: 'attach_don', instance: attacker.id }
      return { action, worth: attackWorth(state, attacker, target, rushing), don }
    })
  )
}

function attackWorth(state: MatchState, attacker: BoardUnit, target: BoardUnit, rushing: boolean): number {
  const opposing = state.sides[opponentOf(state.turnPlayer)]
  const blocks = state.level === 'hard' && hasKeyword(state, attacker, 'blocker') ? 1.2 : 0
  if (target !== opposing.leader) return (rushing ? 0.3 : 1) * worthOf(state, target.card) * 0.9 - blocks
  if (opposing.life.length === 0) return 20
  const wins = Math.min(damageOf(state, attacker), opposing.life.length)
  return wins * (rushing ? 3 : 1.3 + (opposing.life.length <= 2 ? 0.4 : 0)) - blocks
}

/** Returns the current battle from the view of the defender, unless the attack fails anyway. */
function threatOf(state: MatchState) {
  const { battle } = state
  if (battle === null) return undefined
  const { attacker, target } = fightersOf(state, battle)
  const now = compare(state, attacker, target, battle.added)
  return now.outcome === 'fails'
    ? undefined
    : { battle, side: state.sides[opponentOf(state.turnPlayer)], attacker, target, now }
}

/** Blocks when the blocker survives, the attack would win the match, or Life is low. */
function bestBlock(state: MatchState): Action {
  const none: Action = { type: 'block', instance: null }
  const threat = threatOf(state)
  if (threat === undefined) return none
  const { battle, side, attacker, now } = threat
  const blockers = [...blockersOf(state, side, battle)].sort((a, b) => worthOf(state, a.card) - worthOf(state, b.card))
  const survivor = blockers.find(unit => compare(state, attacker, unit, 0).outcome === 'fails')
  const pressed =
    now.outcome === 'wins_match' ||
    (now.outcome === 'takes_life' && side.life.length - now.damage <= (state.level === 'hard' ? 1 : 0))
  const chosen = survivor ?? (pressed ? blockers[0] : undefined)
  return chosen === undefined ? none : { type: 'block', instance: chosen.id }
}

/** Counters only when the hand suffices and the attack is worth the cards spent. */
function bestCounter(state: MatchState): Action {
  const none: Action = { type: 'counter', card_number: null }
  const threat = threatOf(state)
  if (threat === undefined) return none
  const { side, target, now } = threat
  const needed = now.attack - now.defense + 1000
  const counters = countersOf(state, side)
    .map(index => cardOf(state, index))
    .sort((a, b) => (a.counter ?? 0) - (b.counter ?? 0) || (a.cost ?? 0) - (b.cost ?? 0))
  if (counters.reduce((sum, { counter }) => sum + (counter ?? 0), 0) < needed) return none
  const sufficient = counters.find(({ counter }) => (counter ?? 0) >= needed)
  const cards = sufficient === undefined ? Math.ceil(needed / 2000) : 1
  const stake =
    now.outcome === 'wins_match'
      ? 100
      : now.outcome === 'knocks_out'
        ? worthOf(state, target.card)
        : now.damage * lifeWorth(state, side.life.length)
  if (stake < cards) return none
  const chosen = state.level === 'hard' ? (sufficient ?? counters.at(-1)) : counters.at(-1)
  return { type: 'counter', card_number: chosen?.number ?? null }
}

const lifeWorth = ({ level }: MatchState, life: number): number =>
  level === 'hard' ? ([0, 2.2, 1.4, 0.9][life] ?? 0.6) : life <= 1 ? 1.5 : 0.5

/**
 * Uses a Trigger only if it plays its own card and there is room for that. The texts of other Triggers are not
 * implemented, and such a card is worth more in the hand.
 */
function bestTrigger(state: MatchState): Action {
  const listed = legalActions(state).find(
    action => action.type === 'trigger' && action.use && action.replace === undefined
  )
  const shown = shownCard(state)
  return listed !== undefined && shown !== null && cardOf(state, shown).trigger === 'play'
    ? listed
    : { type: 'trigger', use: false }
}

const bestActions: Readonly<Record<Decision['kind'], (state: MatchState) => Action | undefined>> = {
  mulligan: bestMulligan,
  main: bestPlan,
  block: bestBlock,
  counter: bestCounter,
  trigger: bestTrigger
}
