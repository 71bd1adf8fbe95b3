import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { invalid, SurfaceError, type JsonObject, type JsonValue, type PathTo } from 'pantry/data'
import type { Printings } from '../printings.ts'
import { chooseDecks } from './choose-decks.ts'
import { narrate } from './narrate.ts'
import { newMatch } from './new-match.ts'
import { effectsNotPlayed, levelNotes, practiceLinks, statelessReferee } from './notes.ts'
import type { PracticeReply, RequestSchema } from './schemas.ts'
import type { Seal } from './seal.ts'
import type { Starter } from './starters.ts'
import type { MatchState } from './state.ts'
import { play, untilYours, type Step } from './step.ts'
import { actionViews, firstDifference, publicGame, visibleCards } from './view.ts'

type Request = Static<typeof RequestSchema>
type Needs = Readonly<{ printings: Pick<Printings, 'read'>; practiceSeal: Seal; pathTo: PathTo }>

const fieldsOf = {
  new: ['starter_id', 'deck', 'opponent_starter_id', 'opponent_deck', 'level', 'goes_first', 'seed'],
  move: ['game', 'move'],
  look: ['game']
} as const

const first = { you: 'player_1', opponent: 'player_2', toss: undefined } as const

async function answerOf(
  { state, events, log }: Step,
  { practiceSeal, pathTo }: Needs,
  more: Pick<PracticeReply, 'decks' | 'starters'> = {}
): Promise<PracticeReply> {
  const { result, level } = state
  return {
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
  }
}

async function deal(asked: Request, starters: readonly Starter[], services: Needs): Promise<PracticeReply> {
  const { decks, cards, shown } = await chooseDecks(asked, starters, services.printings)
  const dealt = newMatch({
    seed: asked.seed ?? randomBytes(16).toString('hex'),
    level: asked.level ?? 'normal',
    decks,
    cards,
    first: first[asked.goes_first ?? 'toss']
  })
  const step = untilYours({ ...dealt, log: narrate(dealt.events, dealt.state, dealt.state) })
  return await answerOf(step, services, {
    decks: shown,
    starters: starters.map(({ id, title, description, leader, list_status }) => ({
      id,
      title,
      description,
      leader_id: leader,
      list_status
    }))
  })
}

/** Opens a sealed match. Throws if the other fields sent with the seal contradict it. */
async function openGame({ op, game }: Request, { practiceSeal }: Needs): Promise<MatchState> {
  if (game === undefined) throw invalid('game', `\`${op}\` needs \`game\`, as the last answer gave it.`)
  const { sealed, ...shown } = game
  const opened = await practiceSeal.unseal(sealed)
  if ('problem' in opened)
    throw invalid(
      'game.sealed',
      `\`game.sealed\` cannot be opened. ${opened.problem} Send it as the last answer gave it, or deal a new match.`
    )
  const known: JsonObject = publicGame(opened.state)
  for (const [name, value] of Object.entries(shown)) {
    const path = firstDifference(
      value as JsonValue,
      Object.hasOwn(known, name) ? known[name] : undefined,
      `game.${name}`
    )
    if (path !== undefined)
      throw invalid(
        path,
        `\`${path}\` is not what \`game.sealed\` holds. Send the game as the last answer gave it, or \`game.sealed\` alone.`
      )
  }
  return opened.state
}

async function move(asked: Request, services: Needs): Promise<PracticeReply> {
  const { move: action } = asked
  const state = await openGame(asked, services)
  if (action === undefined)
    throw invalid('move', 'Say in `move` what you do: one of `legal_actions[].move` of the last answer.')
  const step = play(state, action)
  if ('refused' in step) {
    throw new SurfaceError('INVALID_INPUT', step.message, {
      details: { field: 'move', reason: step.refused, legal_actions: actionViews(state) }
    })
  }
  return await answerOf(step, services)
}

/** Handles a practice request: starts a match, plays one move of the match in the request, or shows it. */
export async function referee(asked: Request, starters: readonly Starter[], services: Needs): Promise<PracticeReply> {
  const known: readonly string[] = fieldsOf[asked.op]
  const wrong = Object.values(fieldsOf)
    .flat()
    .find(field => asked[field] !== undefined && !known.includes(field))
  if (wrong !== undefined) throw invalid(wrong, `\`${wrong}\` does not belong to \`op\` \`${asked.op}\`.`, known)
  if (asked.op === 'new') return await deal(asked, starters, services)
  return asked.op === 'move'
    ? await move(asked, services)
    : await answerOf({ state: await openGame(asked, services), events: [], log: [] }, services)
}
