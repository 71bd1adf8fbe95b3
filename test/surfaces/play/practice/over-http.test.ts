import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { JsonObject } from '../../../../core/canonical/json.ts'
import { secretFile } from '../../../../surfaces/play/practice/seal.ts'
import { randomBelow, seedRandom } from '../../../../surfaces/play/practice/state.ts'
import { bundledDatabase } from '../../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'
import { starters } from './match-cards.ts'

const path = '/api/v1/play/practice'

type Answer = Readonly<{
  game: JsonObject & { sealed: string; state: { turn_number: number } }
  new_log: readonly { text: string; actor: string }[]
  legal_actions: readonly { move: JsonObject; label: string }[]
  finished: boolean
  winner: string | null
  seed: string | null
}>

const top = t
/** The services of this file keep their data here. */
const folder = t.testdir()
const { url } = await bundledDatabase(t)
const { get } = await serveGeneration(t, await generationOf(t, [], { databaseUrl: url }))

const send = (body: string): Promise<Response> =>
  get(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })

async function ask(body: object): Promise<Answer> {
  const response = await send(JSON.stringify(body))
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

t.test('three matches are played to their end by a caller who chooses at random', async t => {
  for (const [index, level] of ['easy', 'normal', 'hard'].entries()) {
    let answer = await ask({ op: 'new', starter_id: starters[index]!.id, level, seed: `over http ${index}` })
    let random = seedRandom(`caller ${index}`)
    let moves = 0
    const told = answer.new_log.map(({ text }) => text)
    while (!answer.finished) {
      const choices = answer.legal_actions.filter(({ move }) => move['type'] !== 'concede')
      const [at, next] = randomBelow(random, choices.length)
      random = next
      const size = JSON.stringify(answer.game).length
      if (size > 16_384) t.fail(`a game of ${size} characters is too much to carry`)
      answer = await ask({ op: 'move', game: answer.game, move: choices[at]!.move })
      told.push(...answer.new_log.map(({ text }) => text))
      moves += 1
    }
    t.ok(answer.winner === 'you' || answer.winner === 'opponent')
    t.equal(answer.seed, `over http ${index}`)
    t.same(answer.legal_actions, [])
    t.comment(
      `${level}: ${answer.winner} won after ${moves} moves, turn ${answer.game.state.turn_number}; ${told.length} lines. ${told.at(-2)} ${told.at(-1)}`
    )
  }
})

t.test('a game that was kept is shown as it is, and nothing is played', async t => {
  const dealt = await ask({ op: 'new', seed: 'kept' })
  const { game, new_log: log, legal_actions: actions } = await ask({ op: 'look', game: { sealed: dealt.game.sealed } })
  t.same({ ...game, sealed: '' }, { ...dealt.game, sealed: '' })
  t.same(actions, dealt.legal_actions)
  t.same(log, [])
  for (const [body, field] of [
    [{ op: 'look' }, 'game'],
    [{ op: 'look', game, move: { type: 'concede' } }, 'move'],
    [{ op: 'look', game, seed: 'kept' }, 'seed']
  ] as const) {
    t.match(await (await send(JSON.stringify(body))).json(), { error: { code: 'INVALID_INPUT', details: { field } } })
  }
})

t.test('answers and refusals are not stored, and what is too large or no JSON is refused', async t => {
  const dealt = await send(JSON.stringify({ op: 'new' }))
  t.equal(dealt.headers.get('cache-control'), 'no-store')
  const refused = await send(JSON.stringify({ op: 'new', level: 'extreme' }))
  t.equal(refused.status, 400)
  t.equal(refused.headers.get('cache-control'), 'no-store')
  t.match(await refused.json(), {
    error: { code: 'INVALID_INPUT', details: { field: 'level', allowed: ['easy', 'normal', 'hard'] } }
  })
  const padded = (length: number): string => {
    const body = JSON.stringify({ op: 'new' })
    return body + ' '.repeat(length - body.length)
  }
  t.equal((await send(padded(65_536))).status, 200)
  t.equal((await send(padded(65_537))).status, 413)
  t.equal((await send('{"op":"new","op":"new"}')).status, 400)
  t.equal(
    (await get(path, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{"op":"new"}' })).status,
    415
  )
  const wrong = await get(path, { method: 'PUT' })
  t.equal(wrong.status, 405)
  t.match(wrong.headers.get('allow'), 'POST')
})

t.test('a caller who goes first and one who goes second can both be dealt a deck of their own cards', async t => {
  const main = Object.entries(starters[3]!.main_deck).flatMap(([number, count]) =>
    Array.from({ length: count }, () => `op-${number.toLowerCase()}-en`)
  )
  const answer = await ask({
    op: 'new',
    deck: { leader_id: 'ST04-001', main_deck_card_ids: main },
    goes_first: 'opponent',
    opponent_starter_id: 'st-01-red-luffy'
  })
  t.match(answer, { game: { first_player: 'player_2', decision: 'mulligan', hand: { length: 5 } } })
})

t.test('a restart keeps the matches, and leaves no secret in a file', async t => {
  const {
    game,
    legal_actions: [first]
  } = await ask({ op: 'new' })
  t.notOk(existsSync(join(folder, secretFile)))
  // Opening the services again over the same database is what a restart does.
  const restarted = await serveGeneration(t, await generationOf(top, [], { databaseUrl: url }))
  const body = JSON.stringify({ op: 'move', game, move: first!.move })
  t.equal(
    (await restarted.get(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).status,
    200
  )
})
