import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { UsageError } from './config.ts'
import { print, type Io } from './output/io.ts'
import { rootsNamed } from './project.ts'

/** Texts of files by their paths below a folder. */
type NewFiles = Readonly<Record<string, string>>

/** Where new files of the named roots go: the last of them, else the project. */
export const folderOfNew = (names: readonly string[]): string => rootsNamed(names).at(-1)?.folder ?? '.'

/** Throws a UsageError where one of the files is there. */
export function refuseExisting(folder: string, files: NewFiles): void {
  const existing = Object.keys(files).filter(file => existsSync(join(folder, file)))
  if (existing.length > 0) throw new UsageError(`Nothing is overwritten, and there is ${existing.join(', ')} already.`)
}

/** Writes the files and prints their paths; one that is there is an error. */
export function writeNewFiles(folder: string, files: NewFiles, io: Io): void {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { flag: 'wx' })
    print(io.stdout, relative(process.cwd(), path))
  }
}

/** Prints the files instead, each below its path. */
export const printNewFiles = (files: NewFiles, io: Io): void => {
  print(
    io.stdout,
    Object.entries(files)
      .map(([file, text]) => `--- ${file}\n${text}`)
      .join('\n')
  )
}
