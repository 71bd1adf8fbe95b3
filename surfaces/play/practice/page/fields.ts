import type { DataOf } from 'pantry/data'
import { Type, type JsonObject, type JsonValue } from 'pantry/page'

const text = (most: number) => Type.Optional(Type.String({ maxLength: most }))

/** What is chosen before a match, and carried through it so that another one can be dealt alike. */
export const setupNames = ['starter_id', 'opponent_starter_id', 'level', 'goes_first'] as const

/** The fields of every form of the practice pages. The referee decides what they may hold. */
export const Fields = Type.Object({
  op: text(10),
  starter_id: text(60),
  opponent_starter_id: text(60),
  level: text(20),
  goes_first: text(20),
  seed: text(100),
  /** The match, as `game.sealed`. */
  game: text(40_000),
  /** What is done: one of `legal_actions[].move`, as JSON. */
  move: text(300)
})
export type Fields = DataOf<typeof Fields>

/** A match of at most 32,768 characters, which a form writes as they are, and the other fields. */
export const limitBytes = 65_536

function moveOf(move: string): JsonValue {
  try {
    return JSON.parse(move) as JsonValue
  } catch {
    return move
  }
}

/**
 * The fields that hold something, as what the referee is asked with. A field left empty is one that was not filled in.
 */
export function toBody({ op = '', game, move, seed, ...setup }: Fields): JsonObject {
  const given = Object.entries({ ...setup, seed }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ''
  )
  if (op === 'new') return { op, ...Object.fromEntries(given) }
  return {
    op,
    // A text that was copied may have been broken into lines.
    ...(game === undefined ? {} : { game: { sealed: game.replaceAll(/\s+/g, '') } }),
    ...(move === undefined ? {} : { move: moveOf(move) })
  }
}
