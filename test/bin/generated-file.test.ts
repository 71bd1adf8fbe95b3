import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/project.ts'
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

t.test('without --out, the file belongs to the service here, and nothing is written into the package', async t => {
  const before = process.cwd()
  t.teardown(() => {
    process.chdir(before)
  })
  process.chdir(t.testdir({ manifests: {} }))
  for (const [command, file] of [
    ['schema', 'manifests/schema.json'],
    ['reference', 'docs/REFERENCE.md']
  ] as const) {
    t.match(await pantry([command, '--check']), { code: 1, stderr: `${file} is missing: run \`pantry ${command}\`` })
    t.match(await pantry([command]), { code: 0, stdout: `${file}\n` })
    t.match(await pantry([command, '--check']), { code: 0, stdout: '', stderr: '' })
  }
  process.chdir(packageFolder)
  for (const command of ['schema', 'reference'])
    t.match(await pantry([command, '--check']), { code: 0, stderr: '' }, 'those of this package')
})

t.test('a folder that is not there is trouble of the environment', async t => {
  t.match(await pantry(['schema', '--out', join(t.testdir(), 'no', 'schema.json')]), {
    code: 3,
    stderr: /^error\[O404\]: ENOENT/
  })
})
