import type { Echoes } from '../../manifest/echo.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { Given } from '../../plan/kind.ts'
import type { Source } from '../../plan/result.ts'
import { echoing } from '../echo.ts'

export type DocumentAnswer = Readonly<{ document: string; echo?: Echoes }>

/** One fixed document, with what is echoed; the loader has made sure that it exists. */
export function compileDocument(surface: Surface<DocumentAnswer>, { documents }: Given<'documents'>): Source {
  const { document, echo } = surface.answer
  const data = documents.get(document)?.value ?? {}
  return echo === undefined
    ? { when: 'pure', answer: () => ({ status: 200, data }) }
    : echoing({ status: 200, data }, data, echo)
}
