import { Type } from 'pantry/page'

/** The members of `/api/v1/play/practice` that the pages use. */
export const Guide = Type.Object({
  levels: Type.Array(Type.Object({ level: Type.String(), plays: Type.String() })),
  opponent_sees: Type.String(),
  decisions: Type.Array(Type.Object({ decision: Type.String(), when: Type.String() })),
  what_is_hidden: Type.String(),
  not_played: Type.Array(Type.String()),
  why_not_played: Type.String(),
  kept: Type.String()
})

/** The members of `/api/v1/play/starters` that the pages use. */
export const Starters = Type.Object({
  starters: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), description: Type.String() }))
})
