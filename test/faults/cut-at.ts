import type { Toxics } from '../support/fault-proxy.ts'

/** A connection is lost before a statement arrives, or when it is done and its answer is on the way. */
export const moments = ['before', 'after'] as const

/** Counts statements (messages `Query` and `Parse` of the protocol) and loses the connection at one of them. */
export function cutAt(place: number, moment: (typeof moments)[number]): { toxics: Toxics; seen: () => number } {
  let seen = 0
  const isStatement = ([type]: Buffer): boolean => type === 0x50 || type === 0x51
  return {
    seen: () => seen,
    toxics: {
      refuses: piece => {
        if (!isStatement(piece)) return false
        seen += 1
        return seen === place ? moment === 'before' || 'after' : false
      }
    }
  }
}
