import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { isSafePattern, unsafePatterns } from '../../../core/schema/patterns.ts'
import { program } from '../../support/program.ts'
import { scratchFolder } from '../../support/scratch.ts'

const refused = (pattern: string): boolean => unsafePatterns({ type: 'string', pattern }).length > 0

t.test('patterns that backtrack without bound are refused', t => {
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^([a-z]+)*$', '^.*.*=.*$', '^(a|b|ab)*c$'])
    t.ok(refused(pattern), pattern)
  t.end()
})

t.test('the usual patterns are accepted', t => {
  for (const pattern of [
    '^[0-9a-f]{64}$',
    '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
    '^[a-z]{2}(_[a-z]+)?$',
    '^/',
    '^[^/]+$',
    '^\\d{4}-\\d{2}-\\d{2}$'
  ])
    t.notOk(refused(pattern), pattern)
  t.end()
})

t.test('every pattern of a schema is looked at, and nothing that is only called so', t => {
  const bad = '^(a+)+$'
  const found = unsafePatterns({
    type: 'object',
    properties: {
      pattern: { type: 'string', pattern: bad },
      list: { type: 'array', items: { anyOf: [{ type: 'string', pattern: bad }] } }
    },
    patternProperties: { [bad]: { type: 'string' } },
    enum: [{ pattern: bad }],
    default: { pattern: bad }
  })
  t.same(
    found.map(({ pointer }) => pointer.join('/')),
    ['properties/pattern/pattern', 'properties/list/items/anyOf/0/pattern', `patternProperties/${bad}`]
  )
  t.end()
})

t.test(
  'where the general checker is not installed, all that is bundled is still accepted, and what only it could show is refused',
  t => {
    const hide = join(scratchFolder(t), 'hide.cjs')
    writeFileSync(
      hide,
      `const { Module } = require('node:module')
const resolve = Module._resolveFilename
Module._resolveFilename = (name, ...rest) => { if (name === 'recheck') throw Object.assign(new Error('hidden'), { code: 'MODULE_NOT_FOUND' }); return resolve(name, ...rest) }
`
    )
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, ['--require', hide, ...args], { cwd: packageFolder, encoding: 'utf8' })
    t.match(run(...program('bin/pantry'), 'validate'), { status: 0, stderr: / 0 errors, 0 warnings/ })
    const harder = '^\\p{L}+$'
    t.ok(isSafePattern(harder))
    const [module = ''] = program('core/schema/patterns').slice(-1)
    t.match(
      run(
        '--input-type=module',
        '--eval',
        `console.log((await import(${JSON.stringify(module)})).isSafePattern(${JSON.stringify(harder)}))`
      ),
      { status: 0, stdout: 'false\n' }
    )
    t.end()
  }
)
