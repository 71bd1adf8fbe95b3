// test: long. The compiler reads the framework again, and examples change seldom.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../bin/roots.ts'

t.test('the code of the examples, which is JavaScript with types in comments, fits the package', async t => {
  const compiler = join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.examples.json'], {
    cwd: packageFolder,
    encoding: 'utf8'
  })
  t.equal(status, 0, stdout)
})
