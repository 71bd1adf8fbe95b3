import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { build } from 'esbuild'
import { libraryIn } from '../support/command-line.ts'
import { program } from '../support/program.ts'

t.test('a stack names the files that were written, and a file without a map as it is', async t => {
  const folder = t.testdir({
    written: {
      'thrower.ts':
        "type Nothing = undefined\n\n\nexport function fail (): Nothing {\n  throw new TypeError('a tide')\n}\n",
      'caller.ts': "import { fail } from './thrower.ts'\n\nexport const call = (): unknown => fail()\n"
    },
    'plain.mjs': 'export const call = next => next()\n'
  })
  await build({
    entryPoints: [join(folder, 'written', 'caller.ts')],
    outfile: join(folder, 'made', 'caller.mjs'),
    bundle: true,
    format: 'esm',
    sourcemap: true,
    logLevel: 'error'
  })
  const [sources = '', ...options] = [...program('bin/stack-traces')].reverse()
  const url = (...path: string[]): string => JSON.stringify(pathToFileURL(join(folder, ...path)).href)
  const code = `import { enableSourceMaps } from ${JSON.stringify(pathToFileURL(sources).href)}
    import { call } from ${url('made', 'caller.mjs')}
    import { call as around } from ${url('plain.mjs')}
    enableSourceMaps()
    try { around(call) } catch (error) { process.stdout.write(error.stack) }`
  const [first, ...lines] = execFileSync(process.execPath, [...options, '--input-type=module', '--eval', code], {
    encoding: 'utf8'
  }).split('\n')
  t.equal(first, 'TypeError: a tide')
  t.strictSame(lines.slice(0, 3), [
    `    at fail (${join(folder, 'written', 'thrower.ts')}:5:9)`,
    `    at call (${join(folder, 'written', 'caller.ts')}:3:36)`,
    `    at call (${pathToFileURL(join(folder, 'plain.mjs')).href}:1:29)`
  ])
})

t.test('a process that ends while code waits for what never comes says so, and of which file', t => {
  const root = libraryIn(t.testdir())
  mkdirSync(join(root, 'surfaces'))
  writeFileSync(join(root, 'surfaces', 'services.js'), 'export default () => new Promise(() => {})\n')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...program('bin/commands/pantry'), 'serve', '--root', root, '--port', '0'],
    { encoding: 'utf8' }
  )
  t.strictSame([status, stdout], [3, ''])
  t.match(stderr, /error\[O901\]: .*surfaces\/services\.js waits for what never comes\.\nLook for a promise/)
  t.end()
})
