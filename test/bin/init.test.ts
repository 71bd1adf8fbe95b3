import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pantry } from '../support/command-line.ts'

/** Runs a command in a folder. */
async function inFolder (folder: string, args: readonly string[]): ReturnType<typeof pantry> {
  const before = process.cwd()
  process.chdir(folder)
  try {
    return await pantry(args)
  } finally {
    process.chdir(before)
  }
}

t.test('init writes a service, keeps scripts of one\'s own and says what comes next', async t => {
  const folder = t.testdir({ 'package.json': JSON.stringify({ name: 'mine', scripts: { test: 'echo "Error: no test specified" && exit 1', lint: 'eslint .', start: 'node mine.js' } }) })
  const { code, stdout, stderr } = await inFolder(folder, ['init', 'trees', '--no-install'])
  t.equal(code, 0, stderr)
  t.strictSame(stdout.trim().split('\n').filter(file => !existsSync(join(folder, file))), [], 'what it names is there')
  t.match(stderr, /npm start[^]*\/api\/v1\/trees\n[^]*npm test/)
  const { name, type, scripts, pantry: section } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
  t.strictSame({ name, type, section }, { name: 'mine', type: 'module', section: { roots: ['.'] } })
  t.strictSame(scripts, { start: 'node mine.js', test: 'node --test', validate: 'pantry validate', lint: 'eslint .' })
  t.equal(readFileSync(join(folder, 'manifests', 'service.yaml'), 'utf8').split('\n').length <= 11, true, 'ten lines')
  t.match(await inFolder(folder, ['init', 'trees', '--no-install']), { code: 2, stderr: /a service here already/ })
})

t.test('init refuses names and folders that cannot hold a service, in words', async t => {
  const folder = t.testdir({ 'package.json': '{' })
  t.match(await inFolder(folder, ['init', 'trees', '--no-install']), { code: 2, stderr: /package.json is not JSON/ })
  writeFileSync(join(folder, 'package.json'), '{}')
  t.match(await inFolder(folder, ['init', 'Trees!', '--no-install']), { code: 2, stderr: /lowercase words/ })
  t.equal((await inFolder(folder, ['init', 'notes', '--no-install'])).code, 0, 'a service may be called like the example table')
})
