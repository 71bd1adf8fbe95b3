import { Type } from 'pantry/page'

/** What the pages read of `/api/v1/play/practice`. */
export const Guide = Type.Object({
  levels: Type.Array(Type.Object({ level: Type.String(), plays: Type.String() })),
  opponent_sees: Type.String(),
  decisions: Type.Array(Type.Object({ decision: Type.String(), when: Type.String() })),
  what_is_hidden: Type.String(),
  not_played: Type.Array(Type.String()),
  why_not_played: Type.String(),
  kept: Type.String()
})

/** What the pages read of `/api/v1/play/starters`. */
export const Starters = Type.Object({
  starters: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), description: Type.String() }))
})
