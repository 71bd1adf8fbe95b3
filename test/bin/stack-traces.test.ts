import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { build } from 'esbuild'
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
