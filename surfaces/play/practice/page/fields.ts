import type { DataOf } from 'pantry/data'
import { Type, type JsonObject, type JsonValue } from 'pantry/page'

const text = (most: number) => Type.Optional(Type.String({ maxLength: most }))

/**
 * The fields of the setup, which the forms of a match carry along, so that another match can be started with the same
 * setup.
 */
export const setupNames = ['starter_id', 'opponent_starter_id', 'level', 'goes_first'] as const

/** The fields of all forms of the practice pages. The referee validates their values. */
export const Fields = Type.Object({
  op: text(10),
  starter_id: text(60),
  opponent_starter_id: text(60),
  level: text(20),
  goes_first: text(20),
  seed: text(100),
  /** The sealed match (`game.sealed`). */
  game: text(40_000),
  /** The action taken: one of `legal_actions[].move`, as JSON. */
  move: text(300)
})
export type Fields = DataOf<typeof Fields>

/**
 * The largest form body, in bytes: enough for a match of at most 32,768 characters (which need no escaping) and the
 * other fields.
 */
export const limitBytes = 65_536

function moveOf(move: string): JsonValue {
  try {
    return JSON.parse(move) as JsonValue
  } catch {
    return move
  }
}

/** Converts form fields to the body of a request to the referee; empty fields are left out. */
export function toBody({ op = '', game, move, seed, ...setup }: Fields): JsonObject {
  const given = Object.entries({ ...setup, seed }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ''
  )
  if (op === 'new') return { op, ...Object.fromEntries(given) }
  return {
    op,
    // White space is removed, because a copied text may have been broken into lines.
    ...(game === undefined ? {} : { game: { sealed: game.replaceAll(/\s+/g, '') } }),
    ...(move === undefined ? {} : { move: moveOf(move) })
  }
}
