import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Option } from 'commander'
import { defineCommand } from '../command.ts'
import { print } from '../output/io.ts'

export const reference = defineCommand<[], { check?: true, out?: string }>({
  name: 'reference',
  summary: 'Write the reference of manifests and corpora.',
  description: [
    'Writes every key of every kind, of corpus.yaml and of service.yaml as Markdown: its meaning, an example, and the mistakes it can raise.',
    'With --check it writes nothing and tells whether the file is up to date.'
  ],
  options: [
    new Option('--check', 'Only compare the file with what would be written.'),
    new Option('--out <file>', 'File to write or check. Default: core/REFERENCE.md of the project.')
  ],
  examples: [
    ['pantry reference', 'Write it after a change of the manifest grammar.'],
    ['pantry reference --check', 'In a build: is the committed file up to date?']
  ],
  exits: { 1: 'The file is missing or differs (with --check).', 3: 'The file cannot be written.' },
  async run (_args, { check, out }, io) {
    const { manifestReference, referenceText } = await import('../../core/discovery/reference.ts')
    const { kinds } = await import('../../core/kinds/index.ts')
    const { packageFolder } = await import('../roots.ts')
    const file = out === undefined ? join(packageFolder, 'core', 'REFERENCE.md') : resolve(out)
    const shown = relative(process.cwd(), file)
    const text = referenceText(manifestReference(kinds))
    if (check !== true) {
      writeFileSync(file, text)
      print(io.stdout, shown)
      return 0
    }
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return 0
    print(io.stderr, `${shown} is not up to date: run \`pantry reference\` and commit the file.`)
    return 1
  }
})
