import t from 'tap'
import type { JsonSchema } from '../../../core/canonical/json.ts'
import { checkSchema, compileSchema } from '../../../core/schema/compile.ts'
import { documentOf } from './content.ts'
import { match, unitsOf, type Event } from './match.ts'
import { replay } from './replay.ts'

const schema = (documentOf('play-game-state-schema') as { json_schema: JsonSchema }).json_schema
const only = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}`, $defs: schema['$defs'] })
const isState = compileSchema(schema)
const isEvent = compileSchema(only('match_event'))
const isIntent = compileSchema(only('intent'))
const isReply = compileSchema(only('intent_reply'))

const { events, snapshots, intent_examples: intents, kinds_demonstrated: shown } = match
const played = [...replay(events)]

t.test('the published schema is valid and accepts every event, snapshot, intent and reply of the example', t => {
  t.strictSame(checkSchema(schema), [])
  for (const event of events) t.strictSame(isEvent(event), [], `event ${event.offset}`)
  for (const { state, after_offset: offset } of snapshots) t.strictSame(isState(state), [], `snapshot after ${offset}`)
  for (const { intent, reply } of intents) {
    t.strictSame(isIntent(intent), [])
    t.strictSame(isReply(reply), [])
  }
  t.end()
})

t.test('the schema refuses what is not a state or an event', t => {
  const state = structuredClone(snapshots[0]?.state)
  t.ok(isState({ ...state, phase: 'attack' }).length > 0, 'an unknown phase')
  t.ok(isState({ ...state, extra: 1 }).length > 0, 'an unknown member')
  t.ok(isEvent({ offset: 0, kind: 'card_drawn', player: 'player_3', count: 1 }).length > 0, 'an unknown player')
  t.ok(isEvent({ offset: 0, kind: 'card_shown' }).length > 0, 'an unknown kind')
  t.ok(
    isReply({ accepted: true, appended_event: null, new_offset: null, error: null }).length > 0,
    'accepted without an event'
  )
  t.end()
})

t.test('the match can be replayed by the rules and leads through its snapshots to its end', t => {
  t.strictSame(
    events.map(({ offset }) => offset),
    events.map((_, index) => index),
    'offsets without a gap'
  )
  t.equal(match.event_count, events.length)
  for (const { after_offset: offset, state } of snapshots) t.strictSame(state, played[offset]?.state, `after ${offset}`)
  t.equal(snapshots.at(-1)?.after_offset, events.length - 1, 'the last snapshot is the end')
  t.match(played.at(-1)?.state.result, { winner: 'player_2', reason: 'concession' })
  t.end()
})

t.test('cards are conserved: ten DON!! cards and fifty others on each side, after every event', t => {
  for (const { event, state } of played.filter(({ event }) => event.offset > 2)) {
    // A Life card that is shown for its Trigger is between two areas until the Trigger is used.
    const shownCards = event.kind === 'life_taken' && event.to === 'shown_for_trigger' ? 1 : 0
    for (const [player, side] of Object.entries(state.players)) {
      const don =
        side.don_deck +
        side.cost_area.active +
        side.cost_area.rested +
        unitsOf(side).reduce((sum, unit) => sum + unit.given_don, 0)
      const cards =
        side.deck +
        side.hand +
        side.life +
        side.trash.length +
        side.characters.length +
        (player === event.player ? shownCards : 0)
      if (don !== 10 || cards !== 50 || side.hand < 0)
        t.fail(`event ${event.offset}, ${player}: ${don} DON!!, ${cards} cards, ${side.hand} in hand`)
    }
  }
  t.pass('conserved')
  t.end()
})

t.test('a match that breaks a rule is not replayed', t => {
  const altered = (offset: number, change: Partial<Event>): Event[] =>
    events.map(event => (event.offset === offset ? { ...event, ...change } : event))
  const firstOf = (kind: string): Event => events.find(event => event.kind === kind) as Event
  t.throws(
    () => [...replay(altered(firstOf('don_placed').offset, { count: 2 }))],
    /count is 1/,
    'two DON!! cards on the first turn'
  )
  t.throws(() => [...replay(altered(firstOf('card_played').offset, { cost: 2 }))], /paid/, 'a cost that is not covered')
  t.throws(
    () => [...replay(altered(firstOf('power_compared').offset, { attacker_power: 5000 }))],
    /power/,
    'a wrong power'
  )
  t.throws(
    () => [...replay(altered(firstOf('attack_declared').offset, { target: 'p2_c1' }))],
    /active Character/,
    'an active Character as the target'
  )
  t.end()
})

t.test('the roll of kinds is what the example shows', t => {
  const sorted = (words: (string | undefined)[]): string[] =>
    [...new Set(words.filter(word => word !== undefined))].sort()
  t.strictSame(shown.match_event, sorted(events.map(({ kind }) => kind)))
  t.strictSame(shown.intent, sorted(intents.map(({ intent }) => intent.kind)))
  t.strictSame(shown.intent_reply_errors, sorted(intents.map(({ reply }) => reply.error?.code)))
  t.equal(intents.length, match.intent_examples_count)
  t.equal(intents.length, 3)
  t.end()
})

t.test('an accepted intent appends the very event of the sequence, at the next offset', t => {
  for (const { at_offset: offset, reply } of intents) {
    if (!reply.accepted) continue
    t.equal(reply.new_offset, offset + 1)
    t.strictSame(reply.appended_event, events[offset + 1])
  }
  t.end()
})

t.test('the refused intent could not be paid for in the state it was made in', t => {
  const refused = intents.filter(({ reply }) => !reply.accepted)
  t.strictSame(
    refused.map(({ reply }) => reply.error?.code),
    ['insufficient_don']
  )
  for (const { at_offset: offset } of refused)
    t.match(played[offset]?.state, {
      turn_player: 'player_1',
      phase: 'main',
      players: { player_1: { cost_area: { active: 3 } } }
    })
  t.end()
})
