// test: long. Every declared source is imported, and read a second time.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../../../../bin/roots.ts'
import { importSource } from '../../../../surfaces/importer.ts'
import { prove } from '../../../../surfaces/import/proving/prove.ts'
import { filesOf } from '../../../support/card-folder.ts'
import { testDatabase } from '../../../support/database.ts'
import { inTurns } from '../../../support/effort.ts'
import { python } from '../../../support/python.ts'
import { declaredSources } from '../bundled-sources.ts'

/** Shapes that the second reader cannot read. */
const unread: readonly string[] = ['module', 'yaml', 'xml']

const lines = parse(readFileSync(join(packageFolder, 'test/surfaces/import/data/told-apart.yaml'), 'utf8')) as Readonly<
  Record<string, Readonly<{ proved: string }>>
>

if ((await python(['--version'])) === undefined) t.comment('SKIPPED: there is no python3 on this machine.')
else {
  const { database } = await testDatabase(t)
  for (const source of inTurns([...declaredSources().values()], 5)) {
    const { id, reader } = source
    const folder = filesOf(source)
    if (reader === undefined || !existsSync(folder)) {
      t.comment(`${id}: no files`)
      continue
    }
    const { run, snapshot, written, read } = await importSource(database, source, { folder, conditionsMet: true })
    const { first, ...found } = await prove(database, source, { run, snapshot, folder })
    t.equal(lines[id]?.proved, found.verdict, id)
    const shape = reader.files.map(file => file.shape).find(one => unread.includes(one))
    if (shape === undefined)
      t.match({ ...found, first }, { verdict: 'proved', counts: { rows: read, equal: written } }, id)
    else
      t.match(found, { verdict: 'not proved', reason: `The second reader does not know the shape \`${shape}\`.` }, id)
  }
}
