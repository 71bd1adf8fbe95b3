import { humanise, type ComponentChildren, type VNode } from 'pantry/page'
import type { PracticeReply, SideView } from '../schemas.ts'

type Cards = PracticeReply['cards']

const nameIn = (cards: Cards, number: string): string => cards[number]?.name ?? number

/** A card drawn as text. `children`: the state of the card on the table, in words. */
function Face({
  cards,
  number,
  isRested = false,
  children
}: Readonly<{ cards: Cards; number: string; isRested?: boolean; children?: ComponentChildren }>): VNode {
  const { category, colours, cost, power, counter, life, keywords = [], trigger } = cards[number] ?? {}
  const facts = [
    category == null ? '' : humanise(category),
    (colours ?? []).join(' and '),
    life == null ? '' : `${life} Life`,
    counter == null ? '' : `Counter ${counter}`,
    ...keywords.map(humanise),
    trigger == null ? '' : 'Trigger'
  ].filter(fact => fact !== '')
  return (
    <div class={isRested ? 'play-card rested' : 'play-card'}>
      <div class="bars" aria-hidden="true">
        {(colours ?? []).map(colour => (
          <span class={`bar ${colour}`} />
        ))}
      </div>
      <p class="worth">
        {cost == null ? (
          <span />
        ) : (
          <span>
            Cost <b>{cost}</b>
          </span>
        )}
        {power == null ? null : (
          <span>
            Power <b>{power}</b>
          </span>
        )}
      </p>
      <p class="name">{nameIn(cards, number)}</p>
      <p class="what">
        {facts.join(' · ')} <span class="number">{number}</span>
      </p>
      {children === undefined ? null : <p class="state">{children}</p>}
    </div>
  )
}

/** Groups equal card numbers, each with the number of copies. */
const copiesOf = (numbers: readonly string[]): readonly (readonly [number: string, copies: number])[] =>
  [...new Set(numbers)].map(number => [number, numbers.filter(other => other === number).length])

const UnitFace = ({
  cards,
  unit: { card_number: number, orientation, given_don: don }
}: Readonly<{ cards: Cards; unit: SideView['leader'] }>): VNode => (
  <Face cards={cards} number={number} isRested={orientation === 'rested'}>
    {orientation === 'rested' ? 'Rested' : 'Active'}
    {don === 0 ? '' : `, with ${don} DON!! card${don === 1 ? '' : 's'}`}
  </Face>
)

const Zone = ({ name, faces }: Readonly<{ name: string; faces: readonly VNode[] }>): VNode => (
  <div class="zone">
    <h4>{name}</h4>
    {faces.length === 0 ? <p class="none">None</p> : <Faces of={faces} />}
  </div>
)

const Faces = ({ of }: Readonly<{ of: readonly VNode[] }>): VNode => (
  <ul class="play-cards">
    {of.map(face => (
      <li>{face}</li>
    ))}
  </ul>
)

function SideOf({
  title,
  cards,
  side,
  name
}: Readonly<{ title: string; cards: Cards; side: SideView; name: string }>): VNode {
  const { leader, characters, stage, cost_area: don, trash } = side
  const piles = {
    Life: side.life,
    'DON!! active': don.active,
    'DON!! rested': don.rested,
    'DON!! deck': side.don_deck,
    Hand: side.hand,
    Deck: side.deck,
    Trash: trash.length
  }
  return (
    <section class={`side ${name}`}>
      <h3>{title}</h3>
      <dl class="piles">
        {Object.entries(piles).map(([pile, count]) => (
          <div>
            <dt>{pile}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      <div class="zones">
        <Zone name="Leader" faces={[<UnitFace cards={cards} unit={leader} />]} />
        <Zone
          name="Characters"
          faces={characters.map(unit => (
            <UnitFace cards={cards} unit={unit} />
          ))}
        />
        {stage === null ? null : <Zone name="Stage" faces={[<Face cards={cards} number={stage.card_number} />]} />}
      </div>
      {trash.length === 0 ? null : (
        <details>
          <summary>What lies in the trash</summary>
          <ul>
            {copiesOf(trash).map(([number, copies]) => (
              <li>
                {nameIn(cards, number)}
                {copies === 1 ? '' : ` × ${copies}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

/** Shows the table as the player may see it. */
export const Board = ({ game: { state, hand }, cards }: Readonly<Pick<PracticeReply, 'game' | 'cards'>>): VNode => (
  <section id="table" class="table">
    <h2>The table</h2>
    <SideOf title="The opponent" name="theirs" cards={cards} side={state.players.player_2} />
    <SideOf title="You" name="yours" cards={cards} side={state.players.player_1} />
    <section class="side hand">
      <h3>Your hand</h3>
      {hand.length === 0 ? (
        <p class="none">No card</p>
      ) : (
        <Faces
          of={copiesOf(hand).map(([number, copies]) => (
            <Face cards={cards} number={number}>
              {copies === 1 ? undefined : `${copies} copies`}
            </Face>
          ))}
        />
      )}
    </section>
  </section>
)

type Game = PracticeReply['game']
type Action = PracticeReply['legal_actions'][number]
type ActionType = Action['move']['type']
type RuleLink = readonly [path: string, label: string]

const tutorial = (section: string, label: string): RuleLink => [`/play/tutorial/${section}`, label]
const glossary = (term: string, label: string): RuleLink => [`/play/glossary/${term}`, label]

const actionKinds: Readonly<Record<ActionType, Readonly<{ title: string; rules: readonly RuleLink[] }>>> = {
  mulligan: { title: 'Your opening hand', rules: [tutorial('game_setup', 'setting up')] },
  trigger: { title: 'The Life card you lost', rules: [glossary('trigger', 'Trigger'), glossary('life', 'Life')] },
  block: { title: 'Block', rules: [glossary('blocker', 'Blocker'), tutorial('combat', 'attacks')] },
  counter: { title: 'Counter', rules: [glossary('counter', 'Counter'), tutorial('combat', 'attacks')] },
  play: {
    title: 'Play a card',
    rules: [tutorial('key_card_types', 'kinds of cards'), tutorial('don_cards', 'paying')]
  },
  attack: { title: 'Attack', rules: [tutorial('combat', 'attacks'), glossary('rested', 'rested')] },
  attach_don: { title: 'Give DON!!', rules: [glossary('don', 'DON!!'), tutorial('don_cards', 'giving')] },
  end_turn: { title: 'End the turn', rules: [tutorial('turn_structure', 'the phases of a turn')] },
  concede: { title: 'Give up', rules: [tutorial('win_conditions', 'how a match ends')] }
}

const Rules = ({ of }: Readonly<{ of: ActionType }>): VNode => (
  <p class="rules">
    Rules:{' '}
    {actionKinds[of].rules.map(([path, label], at) => (
      <>
        {at === 0 ? '' : ', '}
        <a href={path}>{label}</a>
      </>
    ))}
  </p>
)

const questions = {
  mulligan: 'Do you keep this hand?',
  main: 'Your turn',
  block: 'You are attacked: do you block?',
  counter: 'You are attacked: do you counter?',
  trigger: 'Do you use this Trigger?'
} as const

export const questionOf = ({ decision }: Pick<Game, 'decision'>): string =>
  decision === null ? 'The match is over' : questions[decision]

function nameOf({ state }: Game, cards: Cards, instance: string): string {
  const units = Object.values(state.players).flatMap(({ leader, characters }) => [leader, ...characters])
  const unit = units.find(known => known.instance === instance)
  return unit === undefined ? instance : nameIn(cards, unit.card_number)
}

/** Describes the attack by the opponent that the player is deciding about. */
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

/** A submit button of the form `move`; the colour of an attack shows its outcome. */
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
