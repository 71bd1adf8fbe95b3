import { humanise, type ComponentChildren, type VNode } from 'pantry/page'
import type { PracticeReply, SideView } from '../schemas.ts'

type Cards = PracticeReply['cards']

/** Returns the name of a card by its number. */
const nameIn = (cards: Cards, number: string): string => cards[number]?.name ?? number

/**
 * Shows a card as text: the facts printed on it, below a bar in its colours. `children`: its state on the table, in
 * words.
 */
function Face({
  cards,
  number,
  isRested = false,
  children
}: Readonly<{ cards: Cards; number: string; isRested?: boolean; children?: ComponentChildren }>): VNode {
  const card = cards[number]
  const facts =
    card === undefined
      ? []
      : [
          card.category === null ? '' : humanise(card.category),
          (card.colours ?? []).join(' and '),
          card.life === null ? '' : `${card.life} Life`,
          card.counter === null ? '' : `Counter ${card.counter}`,
          ...card.keywords.map(humanise),
          card.trigger === null ? '' : 'Trigger'
        ].filter(fact => fact !== '')
  return (
    <div class={isRested ? 'play-card rested' : 'play-card'}>
      <div class="bars" aria-hidden="true">
        {(card?.colours ?? []).map(colour => (
          <span class={`bar ${colour}`} />
        ))}
      </div>
      <p class="worth">
        {card?.cost == null ? (
          <span />
        ) : (
          <span>
            Cost <b>{card.cost}</b>
          </span>
        )}
        {card?.power == null ? null : (
          <span>
            Power <b>{card.power}</b>
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

type Side = SideView
type Unit = Side['leader'] | Side['characters'][number]

const count = (much: number, one: string, many = `${one}s`): string => `${much} ${much === 1 ? one : many}`

/** Groups equal card numbers, each with the number of copies. */
const copiesOf = (numbers: readonly string[]): readonly (readonly [number: string, copies: number])[] =>
  [...new Set(numbers)].map(number => [number, numbers.filter(one => one === number).length])

const UnitFace = ({ cards, unit }: Readonly<{ cards: Cards; unit: Unit }>): VNode => (
  <Face cards={cards} number={unit.card_number} isRested={unit.orientation === 'rested'}>
    {unit.orientation === 'rested' ? 'Rested' : 'Active'}
    {unit.given_don === 0 ? '' : `, with ${count(unit.given_don, 'DON!! card')}`}
  </Face>
)

const Zone = ({ name, children }: Readonly<{ name: string; children: VNode | readonly VNode[] }>): VNode => (
  <div class="zone">
    <h4>{name}</h4>
    {children}
  </div>
)

/** Shows one side of the table: open cards as cards, the other piles as counts. */
function SideOf({
  title,
  cards,
  side,
  name
}: Readonly<{ title: string; cards: Cards; side: Side; name: string }>): VNode {
  const { leader, characters, stage, cost_area: don, trash } = side
  return (
    <section class={`side ${name}`}>
      <h3>{title}</h3>
      <dl class="piles">
        <div>
          <dt>Life</dt>
          <dd>{side.life}</dd>
        </div>
        <div>
          <dt>DON!! active</dt>
          <dd>{don.active}</dd>
        </div>
        <div>
          <dt>DON!! rested</dt>
          <dd>{don.rested}</dd>
        </div>
        <div>
          <dt>DON!! deck</dt>
          <dd>{side.don_deck}</dd>
        </div>
        <div>
          <dt>Hand</dt>
          <dd>{side.hand}</dd>
        </div>
        <div>
          <dt>Deck</dt>
          <dd>{side.deck}</dd>
        </div>
        <div>
          <dt>Trash</dt>
          <dd>{trash.length}</dd>
        </div>
      </dl>
      <div class="zones">
        <Zone name="Leader">
          <ul class="play-cards">
            <li>
              <UnitFace cards={cards} unit={leader} />
            </li>
          </ul>
        </Zone>
        <Zone name="Characters">
          {characters.length === 0 ? (
            <p class="none">None</p>
          ) : (
            <ul class="play-cards">
              {characters.map(unit => (
                <li>
                  <UnitFace cards={cards} unit={unit} />
                </li>
              ))}
            </ul>
          )}
        </Zone>
        {stage === null ? (
          <></>
        ) : (
          <Zone name="Stage">
            <ul class="play-cards">
              <li>
                <Face cards={cards} number={stage.card_number} />
              </li>
            </ul>
          </Zone>
        )}
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

/** Shows the table as the player may see it: the opponent's side, the player's side and the player's hand. */
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
        <ul class="play-cards">
          {copiesOf(hand).map(([number, copies]) => (
            <li>
              {copies === 1 ? (
                <Face cards={cards} number={number} />
              ) : (
                <Face cards={cards} number={number}>
                  {copies} copies
                </Face>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  </section>
)

type Decided = PracticeReply['legal_actions'][number]['move']['type']

const tutorial = (section: string, label: string): readonly [string, string] => [`/play/tutorial/${section}`, label]
const glossary = (term: string, label: string): readonly [string, string] => [`/play/glossary/${term}`, label]

/** The heading of each kind of action, and links to its rules. */
const actionKinds: Readonly<
  Record<Decided, Readonly<{ title: string; rules: readonly (readonly [path: string, label: string])[] }>>
> = {
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

/** Links to the rules of a kind of action. */
const Rules = ({ of }: Readonly<{ of: Decided }>): VNode => (
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
