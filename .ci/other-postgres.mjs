// Runs the tests that use a database over each other PostgreSQL that this machine has.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const installed = '/usr/lib/postgresql'
const folders = [
  ...(existsSync(installed) ? readdirSync(installed).map(version => `${installed}/${version}/bin`) : []),
  '/usr/local/pgsql/bin'
].filter(folder => existsSync(`${folder}/initdb`) && existsSync(`${folder}/postgres`))
if (folders.length === 0) process.stdout.write('skipped: tests over another PostgreSQL, which is not installed here\n')
const counts = { passed: 0, failed: 0 }
for (const folder of folders) {
  process.stdout.write(spawnSync(`${folder}/postgres`, ['--version'], { encoding: 'utf8' }).stdout)
  const { status, stdout } = spawnSync('npm', ['test', '--silent', '--', '--database', ...process.argv.slice(2)], {
    env: { ...process.env, PANTRY_POSTGRES_BIN: folder },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  process.stdout.write(stdout)
  const [, passed = '0', failed = '0'] = /^(\d+) passed, (\d+) failed/m.exec(stdout) ?? []
  counts.passed += Number(passed)
  counts.failed += status === 0 ? 0 : Math.max(1, Number(failed))
}
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`)
process.exitCode = counts.failed === 0 ? 0 : 1
