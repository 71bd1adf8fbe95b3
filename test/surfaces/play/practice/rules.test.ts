import t from 'tap'
import { apply } from '../../../../surfaces/play/practice/apply.ts'
import { legalActions, type ActionInput } from '../../../../surfaces/play/practice/rules.ts'
import { decisionOf, type MatchState, type BoardUnit } from '../../../../surfaces/play/practice/state.ts'
import { after, arranged, dealt, deckWith, indexOf } from './match-cards.ts'

const keep: ActionInput = { type: 'mulligan', redraw: false }
const begun = (): MatchState => after(dealt().state, keep, keep).state
const types = (state: MatchState): Set<string> => new Set(legalActions(state).map(({ type }) => type))
const reason = (state: MatchState, action: ActionInput): string => {
  const applied = apply(state, action)
  return 'refused' in applied ? applied.refused : 'carried out'
}
const unit = (id: string, card: number, more: Partial<BoardUnit> = {}): BoardUnit => ({
  id,
  card,
  rested: false,
  don: 0,
  since: 1,
  ...more
})

/** Red against yellow, with Banish, Double Attack and Triggers of both kinds in the decks. */
const special = {
  decks: {
    player_1: deckWith('ST01-001', [
      'OP04-014',
      'OP01-025',
      'ST01-006',
      'ST01-008',
      'ST01-010',
      'ST01-003',
      'OP01-009',
      'ST01-011',
      'ST01-017',
      'ST01-014',
      'ST01-009',
      'OP02-007',
      'OP02-003'
    ]),
    player_2: deckWith('ST02-001', [
      'OP01-037',
      'ST02-005',
      'ST02-004',
      'ST02-002',
      'ST02-006',
      'ST02-008',
      'ST02-011',
      'ST02-012',
      'OP01-045',
      'OP02-039',
      'OP04-023',
      'OP05-024',
      'OP02-038'
    ])
  }
}

t.test('opening: five cards each, a redraw once each, then Life from the top of the deck', t => {
  const { state } = dealt()
  t.same(decisionOf(state), { player: 'player_1', kind: 'mulligan' })
  t.same(legalActions(state), [keep, { type: 'mulligan', redraw: true }, { type: 'concede' }])
  t.equal(state.sides.player_1.hand.length, 5)
  t.equal(state.sides.player_1.life.length, 0)
  const redrawn = after(state, { type: 'mulligan', redraw: true }).state
  t.equal(redrawn.sides.player_1.hand.length, 5)
  t.notSame(redrawn.sides.player_1.hand, state.sides.player_1.hand)
  t.same(decisionOf(redrawn), { player: 'player_2', kind: 'mulligan' })
  const deck = state.sides.player_1.deck
  const { life } = after(state, keep, keep).state.sides.player_1
  t.same(life, deck.slice(-5).reverse(), 'the first card laid, the top of the deck, is the last to be taken')
  t.end()
})

t.test('first turns: no draw and one DON!! card for whoever begins, no attack for either', t => {
  const first = begun()
  t.match(first, {
    turn: 1,
    turnPlayer: 'player_1',
    phase: 'main',
    sides: { player_1: { don: { deck: 9, active: 1 } } }
  })
  t.equal(first.sides.player_1.hand.length, 5)
  t.notOk(types(first).has('attack'))
  t.equal(
    reason(first, { type: 'attack', attacker: 'p1_leader', target: 'p2_leader' }),
    'battle_not_allowed_on_first_turn'
  )
  const second = after(first, { type: 'end_turn' }).state
  t.match(second, { turn: 2, turnPlayer: 'player_2', sides: { player_2: { don: { deck: 8, active: 2 } } } })
  t.equal(second.sides.player_2.hand.length, 6)
  t.notOk(types(second).has('attack'))
  const third = after(second, { type: 'end_turn' }).state
  t.match(third, { turn: 3, sides: { player_1: { don: { deck: 7, active: 3 } } } })
  t.ok(types(third).has('attack'))
  t.end()
})

t.test('paying rests DON!! cards, giving adds 1000 on the own turn, refresh brings all back', t => {
  const state = arranged({}, ({ sides: { player_1: side } }, index) => {
    side.hand = [index('ST01-009')]
    side.don = { deck: 6, active: 4, rested: 0 }
  })
  t.equal(reason(state, { type: 'play', card_number: 'ST01-010' }), 'card_not_in_hand')
  const played = after(
    state,
    { type: 'play', card_number: 'ST01-009' },
    { type: 'attach_don', instance: 'p1_leader' },
    { type: 'attach_don', instance: 'p1_c1' }
  ).state
  t.match(played.sides.player_1, {
    don: { active: 0, rested: 2 },
    leader: { don: 1 },
    field: [{ id: 'p1_c1', don: 1, since: 3 }]
  })
  t.equal(reason(played, { type: 'attach_don', instance: 'p1_leader' }), 'insufficient_don')
  t.equal(
    reason(played, { type: 'attack', attacker: 'p1_c1', target: 'p2_leader' }),
    'attacker_not_ready',
    'not on the turn it was played'
  )
  const { events } = after(played, { type: 'attack', attacker: 'p1_leader', target: 'p2_leader' })
  t.match(
    events.find(({ kind }) => kind === 'attack_declared'),
    { attacker: 'p1_leader', target: 'p2_leader' }
  )
  const back = after(played, { type: 'end_turn' }, { type: 'end_turn' }).state
  t.match(back.sides.player_1, {
    don: { active: 6, rested: 0, deck: 4 },
    leader: { don: 0, rested: false },
    field: [{ don: 0 }]
  })
  t.equal(
    reason(
      arranged({}, ({ sides }, index) => {
        sides.player_1.hand = [index('OP02-007')]
        sides.player_1.don = { deck: 5, active: 5, rested: 0 }
      }),
      { type: 'play', card_number: 'OP02-007' }
    ),
    'insufficient_don'
  )
  t.end()
})

t.test('a sixth Character needs one of five to make room, which is no knock-out', t => {
  const state = arranged({}, ({ sides: { player_1: side } }, index) => {
    side.field = [1, 2, 3, 4, 5].map(number => unit(`p1_c${number}`, index('ST01-003'), { don: number === 2 ? 1 : 0 }))
    side.named = 5
    side.hand = [index('ST01-009')]
    side.don = { deck: 5, active: 4, rested: 0 }
  })
  t.same(legalActions(state).filter(({ type }) => type === 'play').length, 5)
  t.equal(reason(state, { type: 'play', card_number: 'ST01-009' }), 'room_needed')
  t.equal(reason(state, { type: 'play', card_number: 'ST01-009', replace: 'p2_c1' }), 'not_on_your_field')
  const { state: next, events } = after(state, { type: 'play', card_number: 'ST01-009', replace: 'p1_c2' })
  t.same(
    next.sides.player_1.field.map(({ id }) => id),
    ['p1_c1', 'p1_c3', 'p1_c4', 'p1_c5', 'p1_c6']
  )
  t.match(next.sides.player_1, { don: { active: 2, rested: 3 }, trash: [indexOf(state, 'ST01-003')] })
  t.same(
    events.map(({ kind }) => kind),
    ['card_replaced', 'card_played']
  )
  t.end()
})

t.test('a Stage replaces the old one; an Event stays in the hand, and why is said', t => {
  const state = arranged(special, ({ sides: { player_1: side } }, index) => {
    side.hand = [index('ST01-017'), index('ST01-017'), index('ST01-014')]
    side.don = { deck: 4, active: 6, rested: 0 }
  })
  const {
    sides: { player_1: side }
  } = after(state, { type: 'play', card_number: 'ST01-017' }, { type: 'play', card_number: 'ST01-017' }).state
  t.match(side, { stage: { id: 'p1_s2' }, trash: { length: 1 }, don: { active: 2 } })
  t.equal(reason(state, { type: 'play', card_number: 'ST01-014' }), 'event_text_not_held')
  t.end()
})

t.test(
  'attacks: equal power wins, the Leader and rested Characters are the targets, a knock-out returns DON!! rested',
  t => {
    const state = arranged({}, ({ sides: { player_1: side, player_2: opposing } }, index) => {
      side.field = [unit('p1_c1', index('OP01-025'), { since: 3 })]
      opposing.field = [unit('p2_c1', index('ST02-011'), { rested: true, don: 2 }), unit('p2_c2', index('ST02-011'))]
      opposing.don = { deck: 5, active: 0, rested: 3 }
      opposing.hand = []
    })
    t.equal(reason(state, { type: 'attack', attacker: 'p1_c1', target: 'p2_c2' }), 'target_not_legal')
    const attacked = after(state, { type: 'attack', attacker: 'p1_c1', target: 'p2_c1' })
    t.match(
      attacked.events.find(({ kind }) => kind === 'power_compared'),
      { attacker_power: 5000, target_power: 4000, attacker_wins: true },
      'Rush attacks at once; given DON!! cards do not help in the defence'
    )
    t.match(attacked.state.sides.player_2, {
      don: { rested: 5 },
      field: [{ id: 'p2_c2' }],
      trash: [indexOf(state, 'ST02-011')]
    })
    const hit = after(attacked.state, { type: 'attack', attacker: 'p1_leader', target: 'p2_leader' })
    t.match(
      hit.events.find(({ kind }) => kind === 'power_compared'),
      { attacker_power: 5000, target_power: 5000, attacker_wins: true }
    )
    t.equal(hit.state.sides.player_2.life.length, 4)
    t.equal(reason(hit.state, { type: 'attack', attacker: 'p1_leader', target: 'p2_leader' }), 'attacker_not_ready')
    t.end()
  }
)

t.test('defence: a blocker takes the attack, counters add up for one battle', t => {
  const state = arranged(special, ({ sides: { player_2: side } }, index) => {
    side.field = [unit('p2_c1', index('ST02-004'))]
    side.hand = [index('ST02-008'), index('ST02-011'), index('ST02-004')]
  })
  const attacked = after(state, { type: 'attack', attacker: 'p1_leader', target: 'p2_leader' }).state
  t.same(legalActions(attacked), [
    { type: 'block', instance: 'p2_c1' },
    { type: 'block', instance: null },
    { type: 'concede' }
  ])
  t.equal(reason(attacked, { type: 'block', instance: 'p2_leader' }), 'not_a_blocker')
  t.equal(reason(attacked, { type: 'end_turn' }), 'not_decided_now')
  const blocked = after(attacked, { type: 'block', instance: 'p2_c1' }, { type: 'counter', card_number: null }).state
  t.match(blocked.sides.player_2, { field: { length: 0 }, life: { length: 5 } })
  const open = after(attacked, { type: 'block', instance: null }).state
  t.same(
    legalActions(open).filter(({ type }) => type === 'counter').length,
    3,
    'two cards with a Counter value, and none'
  )
  t.equal(reason(open, { type: 'counter', card_number: 'ST02-004' }), 'no_counter_value')
  t.equal(reason(open, { type: 'counter', card_number: 'ST02-006' }), 'card_not_in_hand')
  const saved = after(open, { type: 'counter', card_number: 'ST02-008' }, { type: 'counter', card_number: null })
  t.match(saved.state, {
    battle: null,
    sides: { player_2: { life: { length: 5 }, hand: { length: 2 }, trash: { length: 1 } } }
  })
  t.end()
})

t.test('Life: the last card is no defeat, the hit after it is; Double Attack against one Life card does not win', t => {
  const facing = (life: number, attackerCard: string): MatchState =>
    arranged(special, ({ sides, cards }, index) => {
      sides.player_1.field = [unit('p1_c1', index(attackerCard))]
      sides.player_2.hand = []
      const plain = cards.findIndex(({ number }) => number === 'ST02-002')
      sides.player_2.life = Array.from({ length: life }, () => plain)
    })
  const attack: ActionInput = { type: 'attack', attacker: 'p1_c1', target: 'p2_leader' }
  t.match(after(facing(1, 'OP02-007'), attack).state, {
    result: null,
    sides: { player_2: { life: { length: 0 }, hand: { length: 1 } } }
  })
  t.match(after(facing(0, 'OP02-007'), attack).state.result, {
    winner: 'player_1',
    reason: 'leader_damage_at_zero_life'
  })
  const doubled = (life: number): MatchState => {
    const state = facing(life, 'OP02-007')
    return {
      ...state,
      cards: state.cards.map(card => (card.number === 'OP02-007' ? { ...card, keywords: ['double_attack'] } : card))
    }
  }
  t.match(after(doubled(1), attack).state, { result: null, sides: { player_2: { life: { length: 0 } } } })
  t.match(after(doubled(3), attack).state, { sides: { player_2: { life: { length: 1 }, hand: { length: 2 } } } })
  t.match(
    after(facing(2, 'OP04-014'), attack).state.sides.player_2,
    { life: { length: 1 }, hand: { length: 0 }, trash: { length: 1 } },
    'Banish'
  )
  t.end()
})

t.test(
  'Triggers: a choice; one that plays its card finds room, any other is shown and trashed, Banish gives none',
  t => {
    const facing = (top: string, full = false): MatchState =>
      after(
        arranged(special, ({ sides }, index) => {
          sides.player_2.hand = []
          sides.player_2.life = [index('ST02-002'), index(top)]
          if (full) sides.player_2.field = [1, 2, 3, 4, 5].map(number => unit(`p2_c${number}`, index('ST02-012')))
        }),
        { type: 'attack', attacker: 'p1_leader', target: 'p2_leader' }
      ).state
    const playing = facing('OP01-037')
    t.same(decisionOf(playing), { player: 'player_2', kind: 'trigger' })
    t.same(legalActions(playing), [
      { type: 'trigger', use: true },
      { type: 'trigger', use: false },
      { type: 'concede' }
    ])
    t.match(after(playing, { type: 'trigger', use: true }).state.sides.player_2, {
      field: [{ card: indexOf(playing, 'OP01-037') }],
      hand: { length: 0 },
      life: { length: 1 }
    })
    t.match(after(playing, { type: 'trigger', use: false }).state.sides.player_2, {
      field: { length: 0 },
      hand: [indexOf(playing, 'OP01-037')]
    })
    const crowded = facing('OP01-037', true)
    t.equal(legalActions(crowded).filter(action => action.type === 'trigger' && action.use).length, 5)
    t.equal(reason(crowded, { type: 'trigger', use: true }), 'room_needed')
    t.match(after(crowded, { type: 'trigger', use: true, replace: 'p2_c3' }).state.sides.player_2, {
      field: { length: 5 },
      trash: { length: 1 }
    })
    const telling = {
      ...special.decks,
      player_2: deckWith('ST02-001', ['ST02-017', ...new Set(special.decks.player_2.main_deck_card_ids)].slice(0, 13))
    }
    const shown = after(
      arranged({ decks: telling }, ({ sides }, index) => {
        sides.player_2.hand = []
        sides.player_2.life = [index('ST02-017')]
      }),
      { type: 'attack', attacker: 'p1_leader', target: 'p2_leader' }
    ).state
    t.match(
      after(shown, { type: 'trigger', use: true }).state.sides.player_2,
      { hand: { length: 0 }, trash: { length: 1 }, life: { length: 0 } },
      'its text is not played'
    )
    const banished = after(
      arranged(special, ({ sides }, index) => {
        sides.player_1.field = [unit('p1_c1', index('OP04-014'))]
        sides.player_2.hand = []
        sides.player_2.life = [index('OP01-037')]
      }),
      { type: 'attack', attacker: 'p1_c1', target: 'p2_leader' }
    ).state
    t.match(banished, { battle: null, sides: { player_2: { trash: { length: 1 }, life: { length: 0 } } } })
    const conceded = after(playing, { type: 'concede' }).state
    t.match(
      conceded,
      {
        battle: null,
        result: { winner: 'player_1', reason: 'concession' },
        sides: { player_2: { hand: { length: 1 } } }
      },
      'the Life card that was looked at is not lost'
    )
    t.end()
  }
)

t.test('a deck without cards is a defeat as soon as its last card is drawn', t => {
  const state = arranged({}, ({ sides }) => {
    sides.player_2.deck = sides.player_2.deck.slice(0, 1)
  })
  const { state: ended } = after(state, { type: 'end_turn' })
  t.match(ended, {
    result: { winner: 'player_1', reason: 'deck_out' },
    phase: 'draw',
    sides: { player_2: { deck: { length: 0 } } }
  })
  t.same(legalActions(ended), [])
  t.equal(reason(ended, { type: 'end_turn' }), 'match_is_over')
  t.end()
})
