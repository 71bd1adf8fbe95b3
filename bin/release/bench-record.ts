import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesBelow } from '../handler-files.ts'
import { packageFolder } from '../roots.ts'

/** The recorded run of `npm run bench`, which the README shows. */
export const benchRecordFile = join(packageFolder, 'docs', 'bench.json')

/** A hash over the names and contents of all TypeScript in some folders of the project, in hexadecimal. */
function digestOf(...folders: readonly string[]): string {
  const digest = createHash('sha256')
  for (const file of folders.flatMap(folder => filesBelow(join(packageFolder, folder), '.ts')).sort())
    digest
      .update(`${relative(packageFolder, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return digest.digest('hex')
}

/** What a record depends on: the bench with its candidates, and the code that each request runs through. */
export const benchDigests = (): Readonly<Record<'bench' | 'code', string>> => ({
  bench: digestOf('test/bench'),
  code: digestOf('core/http', 'core/plan', 'core/database')
})

/** Why the recorded run is not one of this code, or `undefined`. */
export function staleRecord(recorded: Readonly<Partial<Record<'bench' | 'code', string>>>): string | undefined {
  const now = benchDigests()
  if (recorded.bench !== now.bench)
    return 'docs/bench.json was recorded by another bench than test/bench has now. Run `npm run bench -- --record`.'
  return recorded.code === now.code
    ? undefined
    : 'docs/bench.json was recorded before core/http, core/plan or core/database changed. Run `npm run bench -- --record`.'
}
