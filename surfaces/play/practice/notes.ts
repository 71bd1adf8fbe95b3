import type { PathTo } from 'pantry/data'
import type { PracticeLevel } from './state.ts'

/** The titles and descriptions of the opponent's levels. */
export const levelNotes: Readonly<Record<PracticeLevel, Readonly<{ title: string; plays: string }>>> = {
  easy: { title: 'Easy', plays: 'Does something legal, by chance. Good for learning how a turn goes.' },
  normal: { title: 'Normal', plays: 'Takes what looks best at the moment, and defends when it hurts.' },
  hard: {
    title: 'Hard',
    plays: 'Counts whether it can end the match, keeps its blockers awake, and counters with no card too many.'
  }
}

export const statelessReferee = (pathTo: PathTo) => ({
  note: 'Nothing is kept here: the match is in `game`, and you carry it. An older `game` can be played on from again, which is what practice is for. Matches stay playable after a restart of this service.',
  rules: [pathTo('play/tutorial'), pathTo('play/game-state-schema'), pathTo('play/glossary')]
})

/**
 * What the practice matches implement. The texts of cards are not stored, so effects that only a text describes do not
 * happen.
 */
export const effectsNotPlayed = {
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

export const practiceLinks = (pathTo: PathTo) => ({
  canonical: pathTo('play/practice.post'),
  index: pathTo('play/index'),
  tutorial: pathTo('play/tutorial'),
  game_state_schema: pathTo('play/game-state-schema')
})
