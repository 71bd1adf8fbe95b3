import { generatedFileCommand } from '../written-files.ts'

export const reference = generatedFileCommand({
  name: 'reference',
  group: 'write',
  summary: 'Write the reference of manifests and corpora.',
  writes:
    'Writes every key of every kind, of corpus.yaml and of service.yaml as Markdown: its meaning, an example, and the mistakes it can raise.',
  file: 'docs/REFERENCE.md',
  packaged: 'core/REFERENCE.md',
  async text() {
    const { referenceSections, referenceText } = await import('../../core/discovery/reference.ts')
    const { kinds } = await import('../../core/kinds/index.ts')
    return referenceText(referenceSections(kinds))
  }
})
