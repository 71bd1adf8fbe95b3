import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Option } from 'commander'
import { defineCommand, type CommandDefinition } from './command.ts'
import { print } from './output/io.ts'

type GeneratedFile = Pick<CommandDefinition, 'name' | 'summary'> &
  Readonly<{
    /** The sentence in the help that describes the content of the file. */
    writes: string
    /** Path relative to the package. */
    file: string
    text: () => Promise<string>
  }>

/** Defines a command that writes one file generated from the manifest grammar, or with `--check` only compares it. */
export const generatedFileCommand = ({ name, summary, writes, file, text }: GeneratedFile): CommandDefinition =>
  defineCommand<[], { check?: true; out?: string }>({
    name,
    summary,
    description: [writes, 'With --check it writes nothing and tells whether the file is up to date.'],
    options: [
      new Option('--check', 'Only compare the file with what would be written.'),
      new Option('--out <file>', `File to write or check. Default: ${file} of the project.`)
    ],
    examples: [
      [`pantry ${name}`, 'Write it after a change of the manifest grammar.'],
      [`pantry ${name} --check`, 'In a build: is the committed file up to date?']
    ],
    exits: { 1: 'The file is missing or differs (with --check).', 3: 'The file cannot be written.' },
    async run(_args, { check, out }, io) {
      const { packageFolder } = await import('./roots.ts')
      const path = out === undefined ? join(packageFolder, file) : resolve(out)
      const shown = relative(process.cwd(), path)
      const expected = await text()
      if (check !== true) {
        writeFileSync(path, expected)
        print(io.stdout, shown)
        return 0
      }
      const found = existsSync(path) ? readFileSync(path, 'utf8') : undefined
      if (found === expected) return 0
      const again = `pantry ${name}${out === undefined ? '' : ` --out ${out}`}`
      print(
        io.stderr,
        `${shown} ${found === undefined ? 'is missing' : 'is not up to date'}: run \`${again}\` and commit the file.`
      )
      return 1
    }
  })
