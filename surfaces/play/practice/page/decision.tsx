import type { VNode } from 'pantry/page'
import type { PracticeReply } from '../schemas.ts'
import { Face, nameIn } from './face.tsx'
import { actionKinds, Rules } from './rules.tsx'

type Game = PracticeReply['game']
type Action = PracticeReply['legal_actions'][number]

const questions = {
  mulligan: 'Do you keep this hand?',
  main: 'Your turn',
  block: 'You are attacked: do you block?',
  counter: 'You are attacked: do you counter?',
  trigger: 'Do you use this Trigger?'
} as const

/** Returns the question that the player must decide now. */
export const questionOf = ({ decision }: Pick<Game, 'decision'>): string =>
  decision === null ? 'The match is over' : questions[decision]

function nameOf({ state }: Game, cards: PracticeReply['cards'], instance: string): string {
  const { player_1: you, player_2: opponent } = state.players
  const unit = [you.leader, opponent.leader, ...you.characters, ...opponent.characters].find(
    one => one.instance === instance
  )
  return unit === undefined ? instance : nameIn(cards, unit.card_number)
}

/** Describes the attack that the player is deciding about, which is always one by the opponent. */
function Combat({ game, cards }: Readonly<Pick<PracticeReply, 'game' | 'cards'>>): VNode | null {
  const { combat } = game.state
  if (combat === null) return null
  const added = combat.power_added_to_target
  return (
    <p>
      <strong>
        The opponent's {nameOf(game, cards, combat.attacker)} attacks your {nameOf(game, cards, combat.target)}
      </strong>
      {added === 0 ? '' : `, which has ${added} more power by counters`}.
    </p>
  )
}

/**
 * A legal action as a submit button of the form `move`. Its label includes the outcome of the battle; for an attack,
 * the colour shows the outcome too.
 */
const ActionButton = ({ action: { move, label, preview } }: Readonly<{ action: Action }>): VNode => (
  <li>
    <button
      type="submit"
      form="move"
      name="move"
      value={JSON.stringify(move)}
      class={move.type === 'attack' ? preview?.outcome : undefined}
    >
      {label}
    </button>
  </li>
)

/** Lists all legal actions by kind; conceding is hidden behind one more click. */
export function Decision({
  game,
  cards,
  actions,
  when
}: Readonly<{ game: Game; cards: PracticeReply['cards']; actions: readonly Action[]; when: string }>): VNode {
  const {
    turn_number: turn,
    players: { player_1: you, player_2: opponent }
  } = game.state
  const kinds = [...new Set(actions.map(({ move }) => move.type))]
  return (
    <section id="decision" class="decision">
      <h2>What you can do</h2>
      <p>
        {when}
        {turn === 0
          ? ''
          : ` Turn ${turn}: you have ${you.life} Life, the opponent ${opponent.life}; ${you.cost_area.active} of your DON!! are active.`}{' '}
        <a href="#table">See the table</a>
      </p>
      <Combat game={game} cards={cards} />
      {game.life_card_shown === null ? null : <Face cards={cards} number={game.life_card_shown} />}
      {kinds.map(kind => {
        const list = (
          <ul class="actions">
            {actions
              .filter(({ move }) => move.type === kind)
              .map(action => (
                <ActionButton action={action} />
              ))}
          </ul>
        )
        return kind === 'concede' ? (
          <details>
            <summary>{actionKinds[kind].title}</summary>
            {list}
            <Rules of={kind} />
          </details>
        ) : (
          <div class="kind">
            <h3>{actionKinds[kind].title}</h3>
            <Rules of={kind} />
            {list}
          </div>
        )
      })}
    </section>
  )
}
