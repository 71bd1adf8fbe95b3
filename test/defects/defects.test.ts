import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../../bin/roots.ts'

type Defect = Readonly<{ id: string; file: string; find: string; replace: string; tests: readonly string[] }>

t.test('each deliberate defect can still be made: its text stands once in its file, and its tests exist', async t => {
  const defects = parse(readFileSync(join(packageFolder, 'test/defects/defects.yaml'), 'utf8')) as readonly Defect[]
  t.ok(defects.length >= 20, `${defects.length} defects`)
  t.equal(new Set(defects.map(({ id }) => id)).size, defects.length, 'ids are unique')
  for (const { id, file, find, replace, tests } of defects) {
    t.equal(readFileSync(join(packageFolder, file), 'utf8').split(find).length, 2, `${id}: \`${find}\` in ${file}`)
    t.not(find, replace, id)
    t.same(
      tests.filter(test => !existsSync(join(packageFolder, test))),
      [],
      id
    )
  }
})
