import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pantry } from '../support/command-line.ts'

t.test('the schema is written, and --check agrees', async t => {
  const out = join(t.testdir(), 'schema.json')
  t.match(await pantry(['schema', '--check', '--out', out]), { code: 1, stdout: '', stderr: /is missing: run `pantry schema --out / })
  t.match(await pantry(['schema', '--out', out]), { code: 0, stdout: /schema\.json\n$/ })
  t.match(await pantry(['schema', '--check', '--out', out]), { code: 0, stdout: '', stderr: '' })
  writeFileSync(out, '{}')
  t.match(await pantry(['schema', '--check', '--out', out]), { code: 1, stderr: /is not up to date/ })
})

t.test('a folder that is not there is trouble of the environment', async t => {
  t.match(await pantry(['schema', '--out', join(t.testdir(), 'no', 'schema.json')]), { code: 3, stderr: /^error: ENOENT/ })
})
