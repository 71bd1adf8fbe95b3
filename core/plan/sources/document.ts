import type { FixedDocument } from '../../corpus/document.ts'
import type { SurfaceOf } from '../../manifest/surface.ts'
import type { Source } from '../result.ts'
import { echoing } from './echo.ts'

/** One fixed document, with what is echoed; the loader has made sure that it exists. */
export function compileDocument (surface: SurfaceOf<'document'>, given: { documents: ReadonlyMap<string, FixedDocument> }): Source {
  const { document, echo } = surface.answer
  const data = given.documents.get(document)?.value ?? {}
  return echo === undefined ? { when: 'pure', answer: () => ({ status: 200, data }) } : echoing({ status: 200, data }, data, echo)
}
