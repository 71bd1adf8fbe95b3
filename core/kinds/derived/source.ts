import type { JsonValue } from '../../canonical/json.ts'
import type { Reply } from '../../handler/handler.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { Given } from '../../plan/kind.ts'
import type { Result, Source } from '../../plan/result.ts'

export type DerivedAnswer = Readonly<{ code: string }>

// The schema of a reply describes JSON, and the reply has its type.
const resultOf = ({ status = 200, data = null, ...rest }: Reply): Result => ({
  status,
  data: data as JsonValue,
  ...rest
})

/** The answer is derived at the first request and kept as long as what it was derived from. */
export function compileDerived(surface: Surface<DerivedAnswer>, { derivations }: Given<'derivations'>): Source {
  const derive = derivations.get(surface.answer.code)
  if (derive === undefined) throw new Error(`There is no code ${surface.answer.code} that answers once.`)
  let known: Result | undefined
  const answer = (): Result => (known ??= resultOf(derive()))
  // A structural document holds the time of the answer, so its bytes are not kept.
  return { when: surface.contract === 'math-mirror' ? 'live' : 'pure', answer }
}
