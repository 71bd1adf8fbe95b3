import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Option } from 'commander'
import { defineCommand } from '../command.ts'
import { print } from '../output/io.ts'

export const schema = defineCommand<[], { check?: true, out?: string }>({
  name: 'schema',
  summary: 'Write the schema that editors check manifests with.',
  description: [
    'Writes the JSON Schema (draft-07) of manifests, which gives editors completion, hovers and errors while typing.',
    'With --check it writes nothing and tells whether the file is up to date.'
  ],
  options: [
    new Option('--check', 'Only compare the file with what would be written.'),
    new Option('--out <file>', 'File to write or check. Default: manifests/schema.json of the project.')
  ],
  examples: [
    ['pantry schema', 'Write it after a change of the manifest grammar.'],
    ['pantry schema --check', 'In a build: is the committed file up to date?']
  ],
  exits: { 1: 'The file is missing or differs (with --check).', 3: 'The file cannot be written.' },
  async run (_args, { check, out }, io) {
    const { editorSchema } = await import('../../core/manifest/json-schema.ts')
    const { kinds } = await import('../../core/kinds/index.ts')
    const { packageFolder } = await import('../roots.ts')
    const file = out === undefined ? join(packageFolder, 'manifests', 'schema.json') : resolve(out)
    const shown = relative(process.cwd(), file)
    const text = `${JSON.stringify(editorSchema(kinds), null, 2)}\n`
    if (check !== true) {
      writeFileSync(file, text)
      print(io.stdout, shown)
      return 0
    }
    const found = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    if (found === text) return 0
    print(io.stderr, `${shown} ${found === undefined ? 'is missing' : 'is not up to date'}: run \`pantry schema${out === undefined ? '' : ` --out ${out}`}\` and commit the file.`)
    return 1
  }
})
