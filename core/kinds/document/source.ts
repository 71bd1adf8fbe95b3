import type { Echoes, Surface } from '../../manifest/surface.ts'
import type { Given } from '../../plan/kind.ts'
import type { ContentSource } from '../../plan/result.ts'
import { echoing } from '../echo.ts'

export type DocumentAnswer = Readonly<{ document: string; echo?: Echoes }>

/**
 * Compiles a surface that answers with one fixed document and its echoed parameters. The loader has checked that the
 * document exists.
 */
export function compileDocument(surface: Surface<DocumentAnswer>, { documents }: Given<'documents'>): ContentSource {
  const { document, echo } = surface.answer
  const data = documents.get(document)?.value ?? {}
  return echo === undefined
    ? { when: 'pure', answer: () => ({ status: 200, data }) }
    : echoing({ status: 200, data }, data, echo)
}
