import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { packageFolder } from '../../bin/project.ts'
import { scratchFolder } from '../support/scratch.ts'

const {
  bin: { pantry: ownBin }
} = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { bin: { pantry: string } }

/** A clone as far as `npx pantry` sees it: what is committed, nothing built, and npm as it was never run before. */
function cloned(t: Test) {
  const home = scratchFolder(t)
  const folder = join(home, 'clone')
  mkdirSync(join(folder, dirname(ownBin)), { recursive: true })
  for (const file of ['package.json', ownBin]) cpSync(join(packageFolder, file), join(folder, file))
  const env = { PATH: process.env['PATH'], HOME: home, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
  const npx = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('npx', ['pantry', ...args], { cwd: folder, encoding: 'utf8', env })
    return { status, stdout, stderr }
  }
  /** Stands for `npm run build`. Its output has the mode that the compiler gives. */
  const build = (): void => {
    mkdirSync(join(folder, 'dist/bin'), { recursive: true })
    writeFileSync(join(folder, 'dist/bin/pantry.js'), 'console.log(process.argv.slice(2).join(" "))\n', { mode: 0o644 })
  }
  return {
    npx,
    build,
    removeBuild: () => {
      rmSync(join(folder, 'dist'), { recursive: true })
    }
  }
}

const buildFirst = {
  status: 3,
  stdout: '',
  stderr: 'error: Pantry is not built here yet. Run `npm run build` first.\n'
}

t.test('`npx pantry` says that it must be built, and works once it is, however often what was built is removed', t => {
  const { npx, build, removeBuild } = cloned(t)
  for (const round of ['after a clone', 'after `rm -rf dist`']) {
    t.strictSame(npx('validate', '--help'), buildFirst, round)
    build()
    t.strictSame(npx('validate', '--help'), { status: 0, stdout: 'validate --help\n', stderr: '' }, round)
    removeBuild()
  }
  t.end()
})

t.test('what `bin` names can be run as it is committed', t => {
  t.ok(statSync(join(packageFolder, ownBin)).mode & 0o111)
  t.notMatch(ownBin, /^dist\//)
  t.end()
})
