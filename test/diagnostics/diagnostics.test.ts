import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { catalog, type DiagnosticCode } from '../../core/diagnostics/catalog.ts'
import { parseScenario, runScenario } from './run-scenario.ts'

const folder = join(packageFolder, 'test/diagnostics')
const names = readdirSync(folder).filter(name => name.endsWith('.txt')).sort()

// `UPDATE=1` writes what the validator says into the files: read every changed line before you keep it.
const isUpdate = process.env['UPDATE'] === '1'

for (const name of names) {
  t.test(name, t => {
    const path = join(folder, name)
    const { input, files, expected } = parseScenario(readFileSync(path, 'utf8'))
    const { output, diagnostics } = runScenario(t.testdir(), files)
    if (isUpdate) writeFileSync(path, `${input}${'-'.repeat(40)}\n${output}`)
    else t.equal(output, expected)
    t.ok(diagnostics.some(one => one.code === name.split('-')[0]), 'the code of the file name is reported')
    t.end()
  })
}

t.test('every code that is reported has a scenario, and every scenario a code', t => {
  const withScenario = new Set(names.map(name => name.split('-')[0] ?? ''))
  const live = (Object.keys(catalog) as DiagnosticCode[]).filter(code => catalog[code].retired === undefined)
  t.same([...withScenario].sort(), [...live].sort())
  t.end()
})

t.test('every code explains itself with a wrong and a right example', t => {
  for (const [code, { title, explain, wrong, right }] of Object.entries(catalog)) {
    t.match(code, /^(M[1-4]|C[1-3]|H1)[0-9]{2}$/)
    t.match(title, /^[A-Z`].*[^.]$/, `${code}: the title is a phrase`)
    t.match(explain, /\.$/, `${code}: the explanation is made of sentences`)
    t.ok(wrong.length > 0 && right.length > 0 && wrong !== right, `${code}: wrong and right differ`)
  }
  t.end()
})

t.test('codes are permanent', t => {
  // Grows only. A code that is no longer reported gets `retired` in the catalogue and stays here.
  const published = readFileSync(join(folder, 'codes.list'), 'utf8').trim().split('\n')
  t.same(published.filter(code => !Object.hasOwn(catalog, code)), [], 'no published code is gone')
  t.same(Object.keys(catalog).filter(code => !published.includes(code)), [], 'every code is in codes.list')
  t.end()
})
