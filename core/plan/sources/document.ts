import type { FixedDocument } from '../../corpus/document.ts'
import type { SurfaceOf } from '../../manifest/surface.ts'
import type { Source } from '../result.ts'

/** One fixed document; the loader has made sure that it exists. */
export function compileDocument (surface: SurfaceOf<'document'>, given: { documents: ReadonlyMap<string, FixedDocument> }): Source {
  const data = given.documents.get(surface.answer.document)?.value ?? null
  return { when: 'pure', answer: () => ({ status: 200, data }) }
}
