import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import type { JsonObject, JsonSchema } from '../../../../core/canonical/json.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import { play, playOpponent, type Step } from '../../../../surfaces/play/practice/referee.ts'
import { legalActions } from '../../../../surfaces/play/practice/rules.ts'
import { levels, randomBelow, seedRandom } from '../../../../surfaces/play/practice/state.ts'
import { actionViews, firstDifference, publicGame, visibleCards } from '../../../../surfaces/play/practice/view.ts'
import { narrate } from '../../../../surfaces/play/practice/words.ts'
import { dealt, starterDeck } from './match-cards.ts'

const { json_schema: contract } = parse(readFileSync('corpora/documents/play-game-state-schema.yaml', 'utf8')) as {
  json_schema: JsonSchema & { $defs: JsonObject }
}
const checkState = compileSchema(contract)
const checkEvent = compileSchema({ $defs: contract.$defs, $ref: '#/$defs/match_event' })

/** The steps of a match whose caller plays at random. */
function* steps(seed: string, index: number): Generator<Step> {
  const first = dealt({
    seed,
    first: undefined,
    level: levels[index % 3] ?? 'hard',
    decks: { player_1: starterDeck(index), player_2: starterDeck(index >> 2) }
  })
  let step = playOpponent({ ...first, log: narrate(first.events, first.state, first.state) })
  let random = seedRandom(seed)
  for (;;) {
    yield step
    if (step.state.result !== null) return
    const choices = legalActions(step.state).slice(0, -1)
    const [at, next] = randomBelow(random, choices.length)
    random = next
    const answer = play(step.state, choices[at] ?? { type: 'concede' })
    if ('refused' in answer) throw new Error(answer.message)
    step = answer
  }
}

t.test('the state and the events are those of the published contract', t => {
  const kinds = new Set<string>()
  let largest = 0
  for (let index = 0; index < 24; index++) {
    for (const { state, events } of steps(`view ${index}`, index)) {
      const game = publicGame(state)
      const issues = checkState(game['state'])
      if (issues.length > 0) t.same(issues, [], 'state')
      for (const event of events) {
        kinds.add(event.kind)
        // The contract has no word for making room; the referee's own event is documented beside it.
        if (event.kind !== 'card_replaced' && checkEvent(event).length > 0) t.same(checkEvent(event), [], event.kind)
      }
      largest = Math.max(largest, JSON.stringify(game).length)
    }
  }
  t.comment(`${kinds.size} kinds of events, at most ${largest} characters of open game`)
  t.ok(kinds.size >= 25)
  t.ok(largest < 8192)
  t.end()
})

t.test('nothing that is hidden is shown: neither hand, deck nor Life of the opponent, nor the own deck and Life', t => {
  let compared = 0
  for (let index = 0; index < 12; index++) {
    for (const { state, events, log } of steps(`hidden ${index}`, index)) {
      const { player_1: yours, player_2: theirs } = state.sides
      // The same position with other cards where nobody may look: each hidden card becomes another one of the table.
      const swap = (pile: readonly number[]): number[] => pile.map(card => (card + 1) % state.cards.length)
      const shown = state.battle?.shown ?? null
      const hidden = {
        ...state,
        seed: 'another',
        sides: {
          player_1: { ...yours, deck: swap(yours.deck), life: swap(yours.life) },
          player_2: { ...theirs, hand: swap(theirs.hand), deck: swap(theirs.deck), life: swap(theirs.life) }
        }
      }
      for (const view of [publicGame, visibleCards, actionViews]) {
        compared += 1
        if (JSON.stringify(view(state)) !== JSON.stringify(view(hidden))) t.fail(`${view.name} shows something hidden`)
      }
      if (shown === null && /"(?:deck|life)":\[/.test(JSON.stringify(publicGame(state)))) t.fail('a pile is listed')
      for (const event of events)
        if (event.kind === 'card_drawn' && 'card_number' in event) t.fail('a drawn card is named')
      for (const { text } of log) if (!/^[A-Z0-9"].*\.$/su.test(text) || text.includes('undefined')) t.fail(text)
    }
  }
  t.ok(compared > 500)
  t.end()
})

t.test('the log counts the Life cards down, one by one', t => {
  let counted = 0
  for (let index = 0; index < 12; index++) {
    const left = new Map<string, number>()
    for (const { log, state } of steps(`life ${index}`, index)) {
      for (const { text, actor } of log) {
        const laid = /\blays? (\d+) Life cards?\./u.exec(text)?.[1]
        if (laid !== undefined) left.set(actor, Number(laid))
        const told = /takes? a Life card to (?:your|their) hand; (none|\d+) (?:is|are) left\.$/u.exec(text)?.[1]
        const gone = told !== undefined || /shows? a Life card\.$|trashed by Banish/u.test(text)
        if (gone) left.set(actor, (left.get(actor) ?? 0) - 1)
        if (told === undefined) continue
        counted += 1
        if (Number(told === 'none' ? 0 : told) !== left.get(actor)) t.fail(`${text} ${left.get(actor)}`)
      }
      if (state.battle?.shown === null || state.battle === null)
        t.equal(left.get('you') ?? 0, state.sides.player_1.life.length)
    }
  }
  t.ok(counted > 30, `${counted}`)
  t.end()
})

t.test('every listed action has a label and, where it leads to a battle, a preview that holds', t => {
  let battles = 0
  for (let index = 0; index < 12; index++) {
    for (const { state } of steps(`preview ${index}`, index)) {
      for (const { move, label, preview } of actionViews(state) as unknown as {
        move: { type: string }
        label: string
        preview: { outcome: string; attack: number; defense: number; damage: number } | null
      }[]) {
        if (!/^[A-Z].*\.$/su.test(label) || label.includes('undefined')) t.fail(label)
        if ((preview !== null) !== ['attack', 'block', 'counter'].includes(move.type))
          t.fail(`${move.type} ${JSON.stringify(preview)}`)
        if (preview === null) continue
        battles += 1
        if (
          preview.attack >= preview.defense !== (preview.outcome !== 'fails') ||
          preview.damage > 0 !== (preview.outcome === 'takes_life')
        )
          t.fail(JSON.stringify(preview))
      }
    }
  }
  t.ok(battles > 100)
  t.end()
})

t.test('an altered game is found where it was altered', t => {
  const known = publicGame(dealt().state)
  t.equal(firstDifference(structuredClone(known), known, 'game'), undefined)
  const altered = (change: (game: { state: { players: object }; hand: string[] }) => object): string | undefined =>
    firstDifference(
      change(structuredClone(known) as unknown as { state: { players: object }; hand: string[] }) as JsonObject,
      known,
      'game'
    )
  t.equal(
    altered(({ state, ...game }) => ({ ...game, state: { ...state, players: { ...state.players, player_3: {} } } })),
    'game.state.players.player_3'
  )
  t.equal(
    altered(({ hand, ...game }) => ({ ...game, hand: hand.with(1, 'OP01-001') })),
    'game.hand.1'
  )
  t.equal(
    altered(({ hand, ...game }) => ({ ...game, hand: [...hand, 'OP01-001'] })),
    'game.hand.5'
  )
  t.equal(
    altered(game => ({ ...game, level: 'easy' })),
    'game.level'
  )
  t.equal(
    altered(game => ({ ...game, hand: Object.fromEntries(game.hand.entries()) })),
    'game.hand'
  )
  t.equal(
    altered(game => Object.fromEntries(Object.entries(game).filter(([name]) => name !== 'state'))),
    'game.state'
  )
  t.end()
})
