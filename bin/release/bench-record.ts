import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesBelow } from '../root-modules.ts'
import { packageFolder } from '../roots.ts'

/** The file in which `npm run bench -- --record` keeps its results, which the README shows. */
export const benchRecordFile = join(packageFolder, 'docs', 'bench.json')

/** Imports of other files of the project: they change when a file is moved, and what is measured does not. */
const ownImports = /^import\s[^'"]*?from '\.[^']*'\n/gm

/** The run over a larger catalogue (`--scale`) is not part of the record. */
const isRecorded = (file: string): boolean => !/\/scale[-a-z]*\.ts$/.test(file)

/**
 * Returns the SHA-256 over the names and contents of the `.ts` files below some folders that belong to the record,
 * without imports of other files of the project.
 */
function digestOf(...folders: readonly string[]): string {
  const digest = createHash('sha256')
  const files = folders.flatMap(folder => filesBelow(join(packageFolder, folder), '.ts')).filter(isRecorded)
  for (const file of files.sort())
    digest
      .update(`${relative(packageFolder, file)}\0`)
      .update(readFileSync(file, 'utf8').replace(ownImports, ''))
      .update('\0')
  return digest.digest('hex')
}

/** Returns the digests of the benchmark with its candidates, and of the code that handles each request. */
export const benchDigests = (): Readonly<Record<'bench' | 'code', string>> => ({
  bench: digestOf('test/bench'),
  code: digestOf('core/http', 'core/plan', 'core/database')
})

/** Returns why the record is out of date, or `undefined`. */
export function staleRecord(recorded: Readonly<Partial<Record<'bench' | 'code', string>>>): string | undefined {
  const now = benchDigests()
  if (recorded.bench !== now.bench)
    return 'docs/bench.json was recorded by another bench than test/bench has now. Run `npm run bench -- --record`.'
  return recorded.code === now.code
    ? undefined
    : 'docs/bench.json was recorded before core/http, core/plan or core/database changed. Run `npm run bench -- --record`.'
}
