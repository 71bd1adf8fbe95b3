import type { VNode } from 'pantry/page'
import type { PracticeReply, SideView } from '../schemas.ts'
import { Face, nameIn } from './face.tsx'

type Cards = PracticeReply['cards']
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
