import { join } from 'node:path'
import { packageFolder } from '../../../bin/roots.ts'
import { loadCorpus } from '../../../core/corpus/load-corpus.ts'
import { readFolder } from '../../../core/source/read-folder.ts'
import type { JsonObject } from '../../../core/canonical/json.ts'
import type { Attribute } from '../../../surfaces/cards/attributes.ts'
import { loadSources } from '../../../surfaces/import/open.ts'
import type { Source } from '../../../surfaces/import/source.ts'

let declared: ReadonlyMap<string, Source> | undefined

/**
 * The declared sources as the service loads them, through the corpus and its schema: once in a process, as no test
 * writes to them.
 */
export const declaredSources = (): ReadonlyMap<string, Source> =>
  (declared ??= loadSources(
    entriesOf('sources'),
    entriesOf('source-policies'),
    entriesOf('attributes') as readonly Attribute[]
  ))

export function entriesOf(corpus: string): readonly JsonObject[] {
  const { files } = readFolder(join(packageFolder, 'corpora'), corpus)
  const { loaded, diagnostics } = loadCorpus(
    'pantry',
    `corpora/${corpus}`,
    corpus,
    new Map(files.map(file => [file.name, file]))
  )
  if (diagnostics.length > 0)
    throw new Error(diagnostics.map(({ file, span, message }) => `${file}:${span.line} ${message}`).join('\n'))
  return loaded?.corpus.entries ?? []
}
