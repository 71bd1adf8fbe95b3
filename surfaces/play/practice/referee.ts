import { randomBytes } from 'node:crypto'
import { invalid, SurfaceError, type DataOf, type JsonObject, type JsonValue, type PathTo } from 'pantry/data'
import {
  baseNumber,
  deckOf,
  deckViolations,
  type DeckList,
  type PlayCard,
  type Printings,
  type Starter
} from '../deck-rules.ts'
import { apply, newMatch } from './apply.ts'
import type { NumberedEvent } from './events.ts'
import { chooseAction } from './opponent.ts'
import type { ActionInput, ActionRefusal } from './rules.ts'
import type { DeckView, PracticeReply, RequestSchema } from './schemas.ts'
import type { Seal } from './seal.ts'
import { decisionOf, type MatchState, type PracticeLevel } from './state.ts'
import { actionViews, firstDifference, ownMember, publicGame, visibleCards } from './view.ts'
import { narrate, type LogLine } from './words.ts'

export const levelNotes: Readonly<Record<PracticeLevel, Readonly<{ title: string; plays: string }>>> = {
  easy: { title: 'Easy', plays: 'Does something legal, by chance. Good for learning how a turn goes.' },
  normal: { title: 'Normal', plays: 'Takes what looks best at the moment, and defends when it hurts.' },
  hard: {
    title: 'Hard',
    plays: 'Counts whether it can end the match, keeps its blockers awake, and counters with no card too many.'
  }
}

/** The texts of cards are not stored, so effects that only a text describes do not happen. */
const effectsNotPlayed = {
  note: 'Texts of cards are not held here, because their rights are not ours. The referee plays the rules of the game and what is printed as a fact. Keep this in mind when you compare with a match at the table.',
  not_played: [
    'Events. They do what their text says, so they stay in the hand; the decks of ours have none.',
    'Effects of Leaders, Characters and Stages: [On Play], [When Attacking], [Activate: Main], [On K.O.] and all others that a text describes.',
    'Keywords that a text gives under a condition, such as with [DON!! x1]. Only keywords that a card always has count.',
    'Triggers, except those that say no more than to play the card. Another Trigger may be used; its text is not carried out and the card is trashed.'
  ],
  played: [
    'Cost, power, Counter values, Life, colours and categories.',
    'Rush, Blocker, Double Attack and Banish where they are printed without a condition.',
    'Triggers that play their own card.'
  ]
}

type Request = DataOf<typeof RequestSchema>

/** `field` is the request field that is named in errors. */
type ChosenDeck = Readonly<{ list: DeckList; starter: Starter | undefined; field: string }>

function chooseDeck(
  request: Request,
  [field, starterField]: readonly ['deck', 'starter_id'] | readonly ['opponent_deck', 'opponent_starter_id'],
  starters: readonly Starter[],
  byDefault: Starter | undefined
): ChosenDeck {
  const { [field]: list, [starterField]: id } = request
  if (list !== undefined && id !== undefined) throw invalid(field, `Give either \`${field}\` or \`${starterField}\`.`)
  if (list !== undefined) return { list, starter: undefined, field }
  const ids = starters.map(known => known.id)
  const starter = id === undefined ? byDefault : starters[ids.indexOf(id)]
  if (starter === undefined) throw invalid(starterField, `There is no deck \`${id ?? ''}\`.`, ids)
  return { list: deckOf(starter), starter, field: starterField }
}

/** Whether no Life cards could be placed, because the number is unknown or below 1. */
const lifeMissing = (leader: PlayCard | undefined): boolean => leader?.category === 'leader' && (leader.life ?? 0) < 1

/**
 * Checks that a deck is legal and the Life of its Leader known. If not, throws INVALID_INPUT for a given deck, and
 * NOT_FOUND for a practice deck, because the catalogue lacks its cards.
 */
function checkDeck({ list, starter, field }: ChosenDeck, cards: ReadonlyMap<string, PlayCard>): void {
  const violations = deckViolations(list, cards)
  const leader = cards.get(baseNumber(list.leader_id))
  if (starter !== undefined && (violations.length > 0 || lifeMissing(leader))) {
    throw new SurfaceError(
      'NOT_FOUND',
      `The catalogue does not hold all cards of the deck \`${starter.id}\`. A deck of cards that it holds can be given in \`deck\`.`,
      { details: { field, starter_id: starter.id } }
    )
  }
  if (violations.length > 0) {
    throw new SurfaceError('INVALID_INPUT', `\`${field}\` is not a legal deck: ${violations[0]?.message ?? ''}`, {
      details: { field, violations: violations.slice(0, 60) }
    })
  }
  if (lifeMissing(leader))
    throw invalid(
      `${field}.leader_id`,
      `The Life of ${leader?.name ?? 'this Leader'} is not known here, so the referee cannot lay it.`
    )
}

/** Returns the facts of a card for the sealed state: without `blocks`, which no rule of a match needs. */
const sealedCard = (card: PlayCard): PlayCard =>
  Object.fromEntries(Object.entries(card).filter(([name]) => name !== 'blocks')) as PlayCard

const deckView = ({ list, starter }: ChosenDeck): DeckView => ({
  starter_id: starter?.id ?? null,
  title: starter?.title ?? null,
  leader_id: baseNumber(list.leader_id),
  list_status: starter?.list_status ?? 'given'
})

/**
 * Returns the decks of both players and their cards. By default the opponent takes the deck after the player's in the
 * list.
 */
async function chooseDecks(request: Request, starters: readonly Starter[], printings: Pick<Printings, 'read'>) {
  const yours = chooseDeck(request, ['deck', 'starter_id'], starters, starters[0])
  const next = starters[(starters.findIndex(({ id }) => id === yours.starter?.id) + 1) % starters.length]
  const theirs = chooseDeck(request, ['opponent_deck', 'opponent_starter_id'], starters, next)
  const chosen = [yours, theirs]
  const printed = await printings.read(chosen.flatMap(({ list }) => [list.leader_id, ...list.main_deck_card_ids]))
  const cards = new Map([...printed].map(([number, card]) => [number, sealedCard(card)]))
  for (const deck of chosen) checkDeck(deck, cards)
  return {
    decks: { player_1: yours.list, player_2: theirs.list },
    cards,
    views: { you: deckView(yours), opponent: deckView(theirs) }
  }
}

/** The state at the next decision of the caller, with what happened up to it. */
export type Step = Readonly<{ state: MatchState; events: readonly NumberedEvent[]; log: readonly LogLine[] }>

/** Plays the opponent's actions until the caller must decide or the match is over. */
export function playOpponent({ state, events, log }: Step): Step {
  const step = { state, events: [...events], log: [...log] }
  while (decisionOf(step.state)?.player === 'player_2') {
    const action = chooseAction(step.state)
    const applied = apply(step.state, action)
    if ('refused' in applied)
      throw new Error(`The opponent chose what is not legal: ${JSON.stringify(action)} ${applied.message}`)
    step.log.push(...narrate(applied.events, step.state, applied.state))
    step.events.push(...applied.events)
    step.state = applied.state
  }
  return step
}

/** Applies one action of the caller and the opponent's actions that follow. */
export function play(state: MatchState, action: ActionInput): Step | ActionRefusal {
  const applied = apply(state, action)
  if ('refused' in applied) return applied
  return playOpponent({ ...applied, log: narrate(applied.events, state, applied.state) })
}

type Services = Readonly<{ printings: Pick<Printings, 'read'>; practiceSeal: Seal; pathTo: PathTo }>

const fieldsOf = {
  new: ['starter_id', 'deck', 'opponent_starter_id', 'opponent_deck', 'level', 'goes_first', 'seed'],
  move: ['game', 'move'],
  look: ['game']
} as const

const firstPlayers = { you: 'player_1', opponent: 'player_2', toss: undefined } as const

async function answerOf(
  { state, events, log }: Step,
  { practiceSeal, pathTo }: Services,
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
    stateless_referee: {
      note: 'Nothing is kept here: the match is in `game`, and you carry it. An older `game` can be played on from again, which is what practice is for. Matches stay playable after a restart of this service.',
      rules: [pathTo('play/tutorial'), pathTo('play/game-state-schema'), pathTo('play/glossary')]
    },
    effects_not_played: effectsNotPlayed,
    _links: {
      canonical: pathTo('play/practice.post'),
      index: pathTo('play/index'),
      tutorial: pathTo('play/tutorial'),
      game_state_schema: pathTo('play/game-state-schema')
    }
  }
}

async function deal(request: Request, starters: readonly Starter[], services: Services): Promise<PracticeReply> {
  const { views, ...chosen } = await chooseDecks(request, starters, services.printings)
  const dealt = newMatch({
    ...chosen,
    seed: request.seed ?? randomBytes(16).toString('hex'),
    level: request.level ?? 'normal',
    first: firstPlayers[request.goes_first ?? 'toss']
  })
  const step = playOpponent({ ...dealt, log: narrate(dealt.events, dealt.state, dealt.state) })
  return await answerOf(step, services, {
    decks: views,
    starters: starters.map(({ id, title, description, leader, list_status }) => ({
      id,
      title,
      description,
      leader_id: leader,
      list_status
    }))
  })
}

/**
 * Returns the state in `game.sealed`. Throws INVALID_INPUT if it cannot be opened, or if other members of `game`
 * contradict it.
 */
async function openGame({ op, game }: Request, { practiceSeal }: Services): Promise<MatchState> {
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
    const path = firstDifference(value as JsonValue, ownMember(known, name), `game.${name}`)
    if (path !== undefined)
      throw invalid(
        path,
        `\`${path}\` is not what \`game.sealed\` holds. Send the game as the last answer gave it, or \`game.sealed\` alone.`
      )
  }
  return opened.state
}

async function move(request: Request, services: Services): Promise<PracticeReply> {
  const { move: action } = request
  const state = await openGame(request, services)
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

/** Starts a match, plays one move of the match in the request, or shows it. */
export async function referee(
  request: Request,
  starters: readonly Starter[],
  services: Services
): Promise<PracticeReply> {
  const known: readonly string[] = fieldsOf[request.op]
  const wrong = Object.values(fieldsOf)
    .flat()
    .find(field => request[field] !== undefined && !known.includes(field))
  if (wrong !== undefined) throw invalid(wrong, `\`${wrong}\` does not belong to \`op\` \`${request.op}\`.`, known)
  if (request.op === 'new') return await deal(request, starters, services)
  return request.op === 'move'
    ? await move(request, services)
    : await answerOf({ state: await openGame(request, services), events: [], log: [] }, services)
}
