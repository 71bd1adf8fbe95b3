import type { JsonValue } from '../../canonical/json.ts'
import type { Reply } from '../../handler/handler.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { Given } from '../../plan/kind.ts'
import type { Result, ContentSource } from '../../plan/result.ts'

export type DerivedAnswer = Readonly<{ code: string }>

// The cast is safe: a reply has the type of its schema, and the schema describes JSON.
const resultOf = ({ status = 200, data = null, ...rest }: Reply): Result => ({
  status,
  data: data as JsonValue,
  ...rest
})

/** Compiles a surface whose answer is derived at the first request and then kept. */
export function compileDerived(surface: Surface<DerivedAnswer>, { derivations }: Given<'derivations'>): ContentSource {
  const derive = derivations.get(surface.answer.code)
  if (derive === undefined) throw new Error(`There is no code ${surface.answer.code} that answers once.`)
  let known: Result | undefined
  const answer = (): Result => (known ??= resultOf(derive()))
  // A structural document contains the time of the answer, so its bytes are not cached.
  return { when: surface.contract === 'math-mirror' ? 'live' : 'pure', answer }
}
