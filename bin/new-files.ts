import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { UsageError } from './config.ts'
import { print, type Io } from './output/io.ts'
import { rootsNamed } from './project.ts'

/** File contents by path relative to a folder. */
type NewFiles = Readonly<Record<string, string>>

/** Returns the folder for new files: the last named root, else the project. */
export const folderOfNew = (names: readonly string[]): string => rootsNamed(names).at(-1)?.folder ?? '.'

/** Returns the folder for new entries of a corpus: the root that contains the schema of the corpus. */
export function folderOfCorpus(names: readonly string[], corpus: string): string {
  const home = rootsNamed(names).find(({ folder }) => existsSync(join(folder, 'corpora', corpus, 'corpus.yaml')))
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

/** Writes the files and prints their paths; fails if a file exists. */
export function writeNewFiles(folder: string, files: NewFiles, io: Io): void {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { flag: 'wx' })
    print(io.stdout, relative(process.cwd(), path))
  }
}

/** Prints the files instead of writing them, each after its path. */
export const printNewFiles = (files: NewFiles, io: Io): void => {
  print(
    io.stdout,
    Object.entries(files)
      .map(([file, text]) => `--- ${file}\n${text}`)
      .join('\n')
  )
}
