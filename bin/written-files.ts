import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { Option } from 'commander'
import { defineCommand, type CommandDefinition } from './command.ts'
import { UsageError } from './config.ts'
import { print, type Io } from './io.ts'
import { packageFolder, resolveRoots, workedOn } from './project.ts'

/** The texts of files, by path relative to a folder. */
type NewFiles = Readonly<Record<string, string>>

/** Returns the folder for new files: the last named root that is no package, else the project. */
export const folderOfNew = (names: readonly string[]): string => workedOn(names)

/**
 * Returns the folder for new entries of a corpus: the root that has its `corpus.yaml`. Throws a UsageError if no root
 * has it, or only an installed package.
 */
export function folderOfCorpus(names: readonly string[], corpus: string): string {
  const home = resolveRoots(names).find(({ folder }) => existsSync(join(folder, 'corpora', corpus, 'corpus.yaml')))
  if (home === undefined) throw new UsageError(`No root has a corpus \`${corpus}\`: name one that has with --root.`)
  if (home.package !== undefined)
    throw new UsageError(
      `The corpus \`${corpus}\` belongs to the package \`${home.package}\`, which is installed: write its entry there.`
    )
  return home.folder
}

/** Throws a UsageError if one of the files exists. */
export function refuseExisting(folder: string, files: NewFiles): void {
  const existing = Object.keys(files).filter(file => existsSync(join(folder, file)))
  if (existing.length > 0) throw new UsageError(`Nothing is overwritten, and there is ${existing.join(', ')} already.`)
}

/** Writes the files and prints their paths. Throws a system error if a file exists. */
export function writeNewFiles(folder: string, files: NewFiles, io: Io): void {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { flag: 'wx' })
    print(io.stdout, relative(process.cwd(), path))
  }
}

/** Prints each file after its path, and writes none. */
export const printNewFiles = (files: NewFiles, io: Io): void => {
  print(
    io.stdout,
    Object.entries(files)
      .map(([file, text]) => `--- ${file}\n${text}`)
      .join('\n')
  )
}

type GeneratedFile = Pick<CommandDefinition, 'name' | 'group' | 'summary'> &
  Readonly<{
    /** The sentence of the help that says what the file has. */
    writes: string
    /** The path of the file in a service. */
    file: string
    /** Its path in this package, if that is another one. */
    packaged?: string
    text: () => Promise<string>
  }>

/** Defines a command that writes one file generated from the grammar of manifests, or with `--check` compares it. */
export const generatedFileCommand = ({
  writes,
  file,
  packaged = file,
  text,
  ...described
}: GeneratedFile): CommandDefinition =>
  defineCommand<[], { check?: true; out?: string }>({
    ...described,
    description: [writes, 'With --check it writes nothing and tells whether the file is up to date.'],
    options: [
      new Option('--check', 'Only compare the file with what would be written.'),
      new Option('--out <file>', `File to write or check. Default: ${file} of the service.`)
    ],
    examples: [
      [`pantry ${described.name}`, 'Write it after a change of the manifest grammar.'],
      [`pantry ${described.name} --check`, 'In a build: is the committed file up to date?']
    ],
    exits: { 1: 'The file is missing or differs (with --check).', 3: 'The file cannot be written.' },
    async run(_args, { check, out }, io) {
      const folder = out === undefined ? workedOn([]) : '.'
      const path = out === undefined ? join(folder, folder === packageFolder ? packaged : file) : resolve(out)
      const shown = relative(process.cwd(), path)
      const expected = await text()
      if (check !== true) {
        if (out === undefined) mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, expected)
        print(io.stdout, shown)
        return 0
      }
      const found = existsSync(path) ? readFileSync(path, 'utf8') : undefined
      if (found === expected) return 0
      const again = `pantry ${described.name}${out === undefined ? '' : ` --out ${out}`}`
      print(
        io.stderr,
        `${shown} ${found === undefined ? 'is missing' : 'is not up to date'}: run \`${again}\` and commit the file.`
      )
      return 1
    }
  })
