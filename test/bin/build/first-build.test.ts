import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { scratchFolder } from '../../support/scratch.ts'

t.test('the first build says that it builds and how long it took, and a later one nothing', async t => {
  const folder = scratchFolder(t)
  mkdirSync(join(folder, 'bin/release'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(packageFolder, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(packageFolder, 'bin/build.mjs'), join(folder, 'bin/build.mjs'))
  writeFileSync(
    join(folder, 'bin/release/build.ts'),
    `import { writeFileSync } from 'node:fs'
writeFileSync(import.meta.dirname + '/pantry.js', '')
`
  )
  const build = () => spawnSync(process.execPath, ['bin/build.mjs'], { cwd: folder, encoding: 'utf8' })
  const first = build()
  t.equal(first.status, 0, first.stderr)
  t.equal(first.stdout, '')
  t.match(first.stderr, /^building Pantry, once \.\.\.\nbuilt in \d+\.\d s\n$/)
  const second = build()
  t.equal(second.status, 0, second.stderr)
  t.equal(second.stdout + second.stderr, '')
})
