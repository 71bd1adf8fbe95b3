import { generatedFileCommand } from '../written-files.ts'

export const schema = generatedFileCommand({
  name: 'schema',
  group: 'write',
  summary: 'Write the schema that editors check manifests with.',
  writes:
    'Writes the JSON Schema (draft-07) of manifests, which gives editors completion, hovers and errors while typing.',
  file: 'manifests/schema.json',
  async text() {
    const { editorSchema } = await import('../../core/manifest/parse.ts')
    const { kinds } = await import('../../core/kinds/index.ts')
    return `${JSON.stringify(editorSchema(kinds), null, 2)}\n`
  }
})
