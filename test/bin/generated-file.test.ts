import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pantry } from '../support/command-line.ts'

for (const command of ['schema', 'reference']) {
  t.test(`${command}: the file is written, and --check agrees`, async t => {
    const out = join(t.testdir(), 'written')
    t.match(await pantry([command, '--check', '--out', out]), {
      code: 1,
      stdout: '',
      stderr: `is missing: run \`pantry ${command} --out `
    })
    t.match(await pantry([command, '--out', out]), { code: 0, stdout: /written\n$/ })
    t.match(await pantry([command, '--check', '--out', out]), { code: 0, stdout: '', stderr: '' })
    writeFileSync(out, '{}')
    t.match(await pantry([command, '--check', '--out', out]), { code: 1, stderr: /is not up to date/ })
  })
}

t.test('a folder that is not there is trouble of the environment', async t => {
  t.match(await pantry(['schema', '--out', join(t.testdir(), 'no', 'schema.json')]), {
    code: 3,
    stderr: /^error\[O404\]: ENOENT/
  })
})
