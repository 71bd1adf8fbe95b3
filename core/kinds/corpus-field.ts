import type { ManifestReference } from '../manifest/kind.ts'
import { Name } from '../manifest/manifest.ts'

/** The manifest field that names the corpus of an answer. */
export const CorpusField = {
  ...Name,
  examples: ['guides'],
  description: 'Name of the corpus: its folder below `corpora/`.'
}

export const corpusReference = (name: string): ManifestReference => ({
  to: 'corpora',
  name,
  at: ['corpus'],
  answersWith: true
})
