import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { catalog, type DiagnosticCode } from '../../core/diagnostics/catalog.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { parseScenario, runScenario, type InputFile } from './run-scenario.ts'

const folder = join(packageFolder, 'test/diagnostics')
const names = readdirSync(folder)
  .filter(name => name.endsWith('.txt'))
  .sort()

// `UPDATE=1` writes what the validator says into the files: read every changed line before you keep it.
const isUpdate = process.env['UPDATE'] === '1'

for (const name of names) {
  t.test(name, t => {
    const path = join(folder, name)
    const { input, files, expected } = parseScenario(readFileSync(path, 'utf8'))
    const { output, diagnostics } = runScenario(t.testdir(), files)
    for (const one of diagnostics) noteConcern(one, files)
    if (isUpdate) writeFileSync(path, `${input}${'-'.repeat(40)}\n${output}`)
    else t.equal(output, expected)
    t.ok(
      diagnostics.some(one => one.code === name.split('-')[0]),
      'the code of the file name is reported'
    )
    t.end()
  })
}

/** The keys that each code is reported at, such as `collection.limit`. */
const concerned = new Map<string, Set<string>>()

function noteConcern({ code, file, span }: Diagnostic, files: readonly InputFile[]): void {
  // The files of a second root come last, and end like those of the first.
  const text = files.findLast(({ path, how }) => how === '' && file.endsWith(`/${path}`))?.text
  const kind = /\/manifests\/service\.yaml$/.test(file)
    ? 'service.yaml'
    : file.endsWith('/corpus.yaml')
      ? 'corpus.yaml'
      : /\/manifests\/[^/]+\.yaml$/.test(file)
        ? /^kind: ([a-z-]+)$/m.exec(text ?? '')?.[1]
        : undefined
  const key = text
    ?.split('\n')
    .slice(0, span.line)
    .findLast(line => /^[a-z_]+:/.test(line))
    ?.split(':')[0]
  if (kind === undefined || key === undefined || key === 'kind' || /^M[12]/.test(code)) return
  concerned.set(code, (concerned.get(code) ?? new Set()).add(`${kind}.${key}`))
}

t.test('the reference knows which keys each code concerns', t => {
  const file = join(packageFolder, 'core/diagnostics/concerns.ts')
  const lines = [...concerned]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, keys]) =>
        `  ${code}: [${[...keys]
          .sort()
          .map(key => `'${key}'`)
          .join(', ')}]`
    )
  const text = `// Generated from the scenarios of the diagnostics (\`UPDATE=1\` with test/diagnostics/diagnostics.test.ts): do not edit.
/** Keys at which each code is reported: of a kind of manifest, or of another file. */
export const concerns: Readonly<Record<string, readonly string[]>> = {\n${lines.join(',\n')}\n}\n`
  if (isUpdate) writeFileSync(file, text)
  else t.equal(readFileSync(file, 'utf8'), text)
  t.end()
})

t.test('every code that is reported has a scenario, and every scenario a code', t => {
  const withScenario = new Set(names.map(name => name.split('-')[0] ?? ''))
  const live = (Object.keys(catalog) as DiagnosticCode[]).filter(code => catalog[code].retired === undefined)
  // What shows when a service runs is in test/bin/promises.test.ts, what shows in a database in
  // test/core/database/tables.
  t.same([...withScenario].sort(), live.filter(code => !/^[XD]/.test(code)).sort())
  t.end()
})

t.test('every code explains itself with a wrong and a right example', t => {
  for (const [code, { title, explain, wrong, right }] of Object.entries(catalog)) {
    t.match(code, /^(M[1-4]|C[1-3]|D1|H1|X[12])[0-9]{2}$/)
    t.match(title, /^[A-Z`].*[^.]$/, `${code}: the title is a phrase`)
    t.match(explain, /\.$/, `${code}: the explanation is made of sentences`)
    t.ok(wrong.length > 0 && right.length > 0 && wrong !== right, `${code}: wrong and right differ`)
  }
  t.end()
})

t.test('codes are permanent', t => {
  // Grows only. A code that is no longer reported gets `retired` in the catalogue and stays here.
  const published = readFileSync(join(folder, 'codes.list'), 'utf8').trim().split('\n')
  t.same(
    published.filter(code => !Object.hasOwn(catalog, code)),
    [],
    'no published code is gone'
  )
  t.same(
    Object.keys(catalog).filter(code => !published.includes(code)),
    [],
    'every code is in codes.list'
  )
  t.end()
})
