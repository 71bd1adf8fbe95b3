// test: long. It reads the whole project.
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { packageFolder } from '../../bin/project.ts'
import { program } from '../support/program.ts'
import { everyFile } from '../support/source-code.ts'
import type { Figures } from './figures.ts'
import { tops } from './sizes.ts'

t.test('the program counts the project, teaches, and says what it does not know', async t => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [...program('test/rooms/main'), ...args], { cwd: packageFolder, encoding: 'utf8' })
  const { status, stdout } = run('--json')
  t.equal(status, 0)
  const { totals } = JSON.parse(stdout) as Figures
  const there = tops.flatMap(top => everyFile(packageFolder, top)).filter(file => /\.tsx?$/.test(file))
  t.equal(totals.find(({ what }) => what === 'files')?.now, there.length)
  t.match(run('--help'), { status: 0, stdout: /--walk[^]+--comments[^]+--seed[^]+GET of a card/ })
  t.match(run('--comments', 'few'), { status: 2, stderr: '--comments must be a whole number, but it is `few`.' })
})
