import t from 'tap'
import type { JsonObject } from '../../../../core/canonical/json.ts'
import { SurfaceError, unavailable } from '../../../../core/handler/errors.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import { baseNumber } from '../../../../surfaces/play/deck-rules.ts'
import practice from '../../../../surfaces/handlers/play/practice.post.ts'
import { createSeal } from '../../../../surfaces/play/practice/seal.ts'
import type { Services } from '../../../../surfaces/services.ts'
import { requestOf } from '../../cards/ask.ts'
import { cards, deckWith, starters } from './match-cards.ts'

type Answer = {
  game: JsonObject & { sealed: string }
  legal_actions: { move: JsonObject }[]
  decks: JsonObject
  finished: boolean
  seed: string | null
  winner: string | null
  new_log: { text: string }[]
}

const seal = createSeal(() => Promise.resolve(Buffer.alloc(32, 7)))
let asked = 0
/** The bundled cards as the catalogue gives them. */
const held = {
  read: (ids: readonly string[]) => {
    asked += 1
    const found = [...new Set(ids.map(baseNumber))].flatMap(number => {
      const card = cards.get(number)
      return card === undefined ? [] : [[number, { ...card, blocks: [1] }] as const]
    })
    return Promise.resolve(new Map(found))
  }
}
const down = { read: () => Promise.reject(unavailable('The catalogue cannot be read now.', 5)) }
const servicesOf = (printings: object): Services => ({ printings, practiceSeal: seal }) as Services

const checkRequest = compileSchema(practice.body!.schema)
const checkReply = compileSchema(practice.reply)

async function ask(body: object, printings: object = held): Promise<Answer> {
  t.same(checkRequest(body), [])
  const { data, headers } = await practice.handle(
    requestOf({ method: 'POST', body: body, corpora: { 'play-decks': { entries: starters } } }),
    servicesOf(printings)
  )
  t.same(checkReply(data), [])
  t.same(headers, { 'Cache-Control': 'no-store' })
  return data as Answer
}

async function refused(
  body: object,
  printings: object = held
): Promise<Pick<SurfaceError, 'status' | 'message' | 'details'>> {
  try {
    await ask(body, printings)
  } catch (error) {
    if (error instanceof SurfaceError) return error
    throw error
  }
  throw new Error('It was accepted.')
}

t.test('a match is dealt from what is asked for, and from defaults', async t => {
  const plain = await ask({ op: 'new' })
  t.match(plain, {
    game: { level: 'normal', decision: 'mulligan' },
    finished: false,
    winner: null,
    seed: null,
    decks: { you: { starter_id: 'st-01-red-luffy' }, opponent: { starter_id: 'st-02-green-kid' } }
  })
  for (const { id } of starters)
    t.match(await ask({ op: 'new', starter_id: id, opponent_starter_id: id }), {
      decks: { you: { starter_id: id }, opponent: { starter_id: id } }
    })
  for (const level of ['easy', 'normal', 'hard'])
    t.match(await ask({ op: 'new', level }), { level: { id: level }, game: { level } })
  t.match(await ask({ op: 'new', goes_first: 'you' }), { game: { first_player: 'player_1' } })
  t.match(await ask({ op: 'new', goes_first: 'opponent' }), { game: { first_player: 'player_2' } })
  const tosses = await Promise.all(
    Array.from({ length: 30 }, (_, index) => ask({ op: 'new', goes_first: 'toss', seed: `toss ${index}` }))
  )
  t.equal(new Set(tosses.map(({ game }) => game['first_player'])).size, 2)
  const deck = deckWith('op-st01-001-en', [
    'op-st01-003-en',
    'ST01-006_p1',
    'OP01-009',
    'ST01-008',
    'ST01-009',
    'ST01-010',
    'OP02-003',
    'OP02-006',
    'OP02-007',
    'OP05-013',
    'ST01-011',
    'ST01-014',
    'ST01-017'
  ])
  asked = 0
  t.match(await ask({ op: 'new', deck, opponent_deck: deck }), {
    decks: { you: { starter_id: null, leader_id: 'ST01-001', list_status: 'given' } }
  })
  t.equal(asked, 1, 'all cards are read at once')
})

t.test('the same seed deals the same match, and another one without a seed', async t => {
  const open = ({ game }: Answer): unknown => ({ ...game, sealed: '' })
  const wish = { op: 'new', seed: 'harbour', level: 'hard' }
  t.same(open(await ask(wish)), open(await ask(wish)))
  t.notSame(open(await ask({ ...wish, seed: 'harbours' })), open(await ask(wish)))
  t.notSame(open(await ask({ op: 'new' })), open(await ask({ op: 'new' })))
})

t.test('a move needs no catalogue and takes the whole game or the seal alone', async t => {
  const {
    game,
    legal_actions: [first]
  } = await ask({ op: 'new', goes_first: 'you', seed: 'move' })
  asked = 0
  const whole = await ask({ op: 'move', game, move: first!.move }, down)
  const alone = await ask({ op: 'move', game: { sealed: game.sealed }, move: first!.move }, down)
  t.same({ ...whole.game, sealed: '' }, { ...alone.game, sealed: '' })
  t.equal(asked, 0)
  t.notSame(whole.game.sealed, game.sealed)
  const over = await ask({ op: 'move', game, move: { type: 'concede' } })
  t.match(over, {
    finished: true,
    winner: 'opponent',
    seed: 'move',
    legal_actions: { length: 0 },
    game: { decision: null, state: { result: { reason: 'concession' } } }
  })
  t.match(await refused({ op: 'move', game: over.game, move: { type: 'end_turn' } }), {
    status: 400,
    details: { field: 'move', reason: 'match_is_over' }
  })
})

t.test('an altered game is refused, and the field is named', async t => {
  const { game } = await ask({ op: 'new', goes_first: 'you', seed: 'altered' })
  const move = { type: 'mulligan', redraw: false }
  t.match(await refused({ op: 'move', game: { ...game, hand: ['OP02-007'] }, move }), {
    status: 400,
    details: { field: /^game\.hand\./ }
  })
  t.match(await refused({ op: 'move', game: { ...game, level: 'easy' }, move }), { details: { field: 'game.level' } })
  t.match(await refused({ op: 'move', game: { ...game, extra: 1 }, move }), { details: { field: 'game.extra' } })
  t.match(
    await refused({ op: 'move', game: { ...game, state: { ...(game['state'] as JsonObject), turn_number: 9 } }, move }),
    { details: { field: 'game.state.turn_number' } }
  )
  t.match(await refused({ op: 'move', game: { ...game, sealed: `${game.sealed.slice(0, -6)}AAAAAA` }, move }), {
    status: 400,
    message: /altered/,
    details: { field: 'game.sealed' }
  })
})

t.test('a move that is not legal is refused with its reason and the legal actions', async t => {
  const { game, legal_actions: legal } = await ask({ op: 'new', goes_first: 'you' })
  const { status, details } = await refused({ op: 'move', game, move: { type: 'end_turn' } })
  t.equal(status, 400)
  t.match(details, { field: 'move', reason: 'not_decided_now' })
  t.same(details?.['legal_actions'], legal)
})

t.test('what a request lacks, or has too much of, is named', async t => {
  const { game } = await ask({ op: 'new' })
  const cases: readonly [object, string][] = [
    [{ op: 'move', move: { type: 'end_turn' } }, 'game'],
    [{ op: 'move', game }, 'move'],
    [{ op: 'new', game }, 'game'],
    [{ op: 'new', move: { type: 'end_turn' } }, 'move'],
    [{ op: 'move', game, move: { type: 'end_turn' }, seed: 'x' }, 'seed'],
    [{ op: 'new', starter_id: 'st-99' }, 'starter_id'],
    [{ op: 'new', opponent_starter_id: 'st-99' }, 'opponent_starter_id'],
    [{ op: 'new', starter_id: 'st-01-red-luffy', deck: deckWith('ST01-001', ['ST01-003']) }, 'deck'],
    [{ op: 'new', deck: deckWith('ST01-001', ['ST01-003']) }, 'deck'],
    [{ op: 'new', opponent_deck: deckWith('OP99-001', ['OP99-002']) }, 'opponent_deck']
  ]
  for (const [body, field] of cases)
    t.match(await refused(body), { status: 400, details: { field } }, JSON.stringify(body).slice(0, 80))
  t.same(
    (await refused({ op: 'new', starter_id: 'st-99' })).details?.['allowed'],
    starters.map(({ id }) => id)
  )
  t.match((await refused({ op: 'new', deck: { leader_id: 'ST02-001', main_deck_card_ids: ['ST01-003'] } })).details, {
    violations: [{ code: 'main_deck_wrong_size' }, { code: 'card_color_mismatch_with_leader', card_id: 'ST01-003' }]
  })
  const shapes: readonly object[] = [
    {},
    { op: 'deal' },
    { op: 'new', level: 'extreme' },
    { op: 'new', goes_first: 'me' },
    { op: 'new', seed: '' },
    { op: 'new', seed: 'x'.repeat(65) },
    { op: 'new', seed: 1 },
    { op: 'new', stake: 5 },
    { op: 'move', game: {}, move: { type: 'end_turn' } },
    { op: 'move', game: { sealed: 'x'.repeat(32_769) }, move: { type: 'end_turn' } },
    { op: 'move', game, move: { type: 'fly' } },
    { op: 'move', game, move: { type: 'play', colour: 'red' } },
    { op: 'new', deck: { leader_id: 'ST01-001' } },
    { op: 'new', deck: { leader_id: '', main_deck_card_ids: ['a'] } },
    { op: 'new', deck: { leader_id: 'a', main_deck_card_ids: [] } },
    { op: 'new', deck: { leader_id: 'a', main_deck_card_ids: Array.from({ length: 121 }, () => 'a') } }
  ]
  for (const body of shapes) t.ok(checkRequest(body).length > 0, JSON.stringify(body).slice(0, 80))
  t.same(checkRequest({ op: 'new', seed: 'x'.repeat(64) }), [])
})

t.test(
  'a catalogue that cannot be read is a 503; one that does not hold the cards of a deck of ours, a 404',
  async t => {
    t.match(await refused({ op: 'new' }, down), { status: 503 })
    t.match(
      await refused({ op: 'new', starter_id: 'st-03-blue-crocodile' }, { read: () => Promise.resolve(new Map()) }),
      { status: 404, details: { starter_id: 'st-03-blue-crocodile' } }
    )
  }
)

t.test('what is not played is said in every answer', async t => {
  const first = await ask({ op: 'new', goes_first: 'you' })
  t.match(first, {
    effects_not_played: { note: /rights/, not_played: [/Events/, /On Play/, /condition/, /Triggers/] },
    stateless_referee: { note: /Nothing is kept/ }
  })
  t.match(await ask({ op: 'move', game: first.game, move: first.legal_actions[0]!.move }), {
    effects_not_played: { note: /rights/ }
  })
})
