import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { invalid, reply, SurfaceError, type JsonObject, type JsonValue, type PathTo, type Reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import type { Services } from '../../services.ts'
import { chooseDecks } from '../../play/practice/choose-decks.ts'
import { narrate } from '../../play/practice/narrate.ts'
import { newMatch } from '../../play/practice/new-match.ts'
import { effectsNotPlayed, levelNotes, practiceLinks, statelessReferee } from '../../play/practice/notes.ts'
import { ReplySchema, RequestSchema, type PracticeReply } from '../../play/practice/schemas.ts'
import { Starter } from '../../play/practice/starters.ts'
import type { State } from '../../play/practice/state.ts'
import { play, untilYours, type Step } from '../../play/practice/step.ts'
import { actionViews, firstDifference, publicGame, visibleCards } from '../../play/practice/view.ts'

type Request = Static<typeof RequestSchema>
type Needs = Pick<Services, 'printings' | 'practiceSeal'> & Readonly<{ pathTo: PathTo }>
type Answer = Reply<PracticeReply>

const onlyFor = { new: ['starter_id', 'deck', 'opponent_starter_id', 'opponent_deck', 'level', 'goes_first', 'seed'], move: ['game', 'move'] } as const

const first = { you: 'player_1', opponent: 'player_2', toss: undefined } as const

async function answerOf ({ state, events, log }: Step, { practiceSeal, pathTo }: Needs, more: Pick<PracticeReply, 'decks' | 'starters'> = {}): Promise<Answer> {
  const { result, level } = state
  return reply({
    '@kind': 'practice_match_step',
    game: { ...publicGame(state), sealed: await practiceSeal.seal(state) },
    new_log: log,
    events,
    legal_actions: actionViews(state),
    finished: result !== null,
    winner: result === null ? null : result.winner === 'player_1' ? 'you' : 'opponent',
    seed: result === null ? null : state.seed,
    cards: visibleCards(state),
    level: { id: level, ...levelNotes[level] },
    ...more,
    stateless_referee: statelessReferee(pathTo),
    effects_not_played: effectsNotPlayed,
    _links: practiceLinks(pathTo)
  }, { headers: { 'Cache-Control': 'no-store' } })
}

async function deal (asked: Request, starters: readonly Starter[], services: Needs): Promise<Answer> {
  const { decks, cards, shown } = await chooseDecks(asked, starters, services.printings)
  const dealt = newMatch({
    seed: asked.seed ?? randomBytes(16).toString('hex'), level: asked.level ?? 'normal', decks, cards, first: first[asked.goes_first ?? 'toss']
  })
  const step = untilYours({ ...dealt, log: narrate(dealt.events, dealt.state, dealt.state) })
  return await answerOf(step, services, {
    decks: shown,
    starters: starters.map(({ id, title, description, leader, list_status }) => ({ id, title, description, leader_id: leader, list_status }))
  })
}

/** The match in a seal; what is sent beside it must say the same. */
async function openGame ({ sealed, ...shown }: NonNullable<Request['game']>, { practiceSeal }: Needs): Promise<State> {
  const opened = await practiceSeal.unseal(sealed)
  if ('problem' in opened) throw invalid('game.sealed', `\`game.sealed\` cannot be opened. ${opened.problem} Send it as the last answer gave it, or deal a new match.`)
  const known: JsonObject = publicGame(opened.state)
  for (const [name, value] of Object.entries(shown)) {
    const path = firstDifference(value as JsonValue, Object.hasOwn(known, name) ? known[name] : undefined, `game.${name}`)
    if (path !== undefined) throw invalid(path, `\`${path}\` is not what \`game.sealed\` holds. Send the game as the last answer gave it, or \`game.sealed\` alone.`)
  }
  return opened.state
}

async function move (asked: Request, services: Needs): Promise<Answer> {
  const { game, move: action } = asked
  if (game === undefined) throw invalid('game', 'A move needs `game`, as the last answer gave it.')
  if (action === undefined) throw invalid('move', 'Say in `move` what you do: one of `legal_actions[].move` of the last answer.')
  const state = await openGame(game, services)
  const step = play(state, action)
  if ('refused' in step) {
    throw new SurfaceError('INVALID_INPUT', step.message, { details: { field: 'move', reason: step.refused, legal_actions: actionViews(state) } })
  }
  return await answerOf(step, services)
}

/**
 * Referees a practice match against the built-in opponent. The caller carries the match: a move neither reads a database nor keeps state.
 * The rules are those of the tutorial; what is not played is said in every answer.
 */
export default defineHandler({
  corpora: { 'play-decks': Starter },
  body: { schema: RequestSchema, limitBytes: 65_536 },
  reply: ReplySchema,
  async handle ({ body, corpora, pathTo }, { printings, practiceSeal }) {
    const needs = { printings, practiceSeal, pathTo }
    const wrong = onlyFor[body.op === 'new' ? 'move' : 'new'].find(field => body[field] !== undefined)
    if (wrong !== undefined) throw invalid(wrong, `\`${wrong}\` does not belong to \`op\` \`${body.op}\`.`, onlyFor[body.op])
    return body.op === 'new' ? await deal(body, corpora['play-decks'].entries, needs) : await move(body, needs)
  }
})
