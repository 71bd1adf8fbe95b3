import type { Surface } from '../manifest/surface.ts'
import { askedQuery, changedQuery } from './dispatch.ts'
import type { PlanInput, Result } from './kind.ts'

/** Returns a result with what was asked, and the language of its page, unless the content has one of its own. */
export function described(surface: Surface, answered: Result, tag: string | undefined, { query }: PlanInput): Result {
  const { languages } = surface
  const asked = askedQuery(query)
  const result = asked === undefined ? answered : { ...answered, asked }
  if (tag === undefined || result.language !== undefined) return result
  const queries = new Map((languages ?? []).map(other => [other, changedQuery(query, { lang: other })]))
  return { ...result, language: { tag, queries, untranslated: {}, content: [tag] } }
}
