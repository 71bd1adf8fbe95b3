// test: slow.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { packageFolder } from '../../bin/roots.ts'

type Mutant = Readonly<{ file: string; start: number; end: number; was: string; changed: string; line: number }>
const { chooseMutants, testsFor, roomOf } = (await import(join(packageFolder, 'test/defects/mutants.mjs'))) as {
  chooseMutants: (project: string, count: number, seed: number) => readonly Mutant[]
  testsFor: (
    file: string,
    reaching: readonly string[],
    times: Readonly<Record<string, number>>,
    seconds: number
  ) => readonly (readonly string[])[]
  roomOf: (file: string) => string
}

t.test('a seed chooses the same places, each another and each still code', t => {
  const mutants = chooseMutants(packageFolder, 60, 7)
  t.equal(mutants.length, 60)
  t.same(chooseMutants(packageFolder, 60, 7), mutants)
  t.notSame(chooseMutants(packageFolder, 60, 8), mutants)
  t.equal(new Set(mutants.map(({ file, start, end, changed }) => `${file} ${start} ${end} ${changed}`)).size, 60)
  for (const { file, start, end, was, changed } of mutants) {
    const text = readFileSync(join(packageFolder, file), 'utf8')
    t.equal(text.slice(start, end), was)
    t.not(changed, was)
    const { diagnostics = [] } = ts.transpileModule(text.slice(0, start) + changed + text.slice(end), {
      fileName: file,
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ESNext, jsx: ts.JsxEmit.ReactJSX }
    })
    t.same(diagnostics, [], `${file}: \`${was}\` as \`${changed}\``)
  }
  t.end()
})

t.test('a file is asked its own tests first, and others as long as there is time', t => {
  const reaching = [
    'test/promises/slow.test.ts',
    'test/core/plan/b.test.ts',
    'test/core/plan/a.test.ts',
    'test/x.test.ts'
  ]
  const times = { 'test/promises/slow.test.ts': 50_000, 'test/core/plan/b.test.ts': 2_000, 'test/x.test.ts': 3_000 }
  t.same(testsFor('core/plan/a.ts', reaching, times, 10), [
    ['test/core/plan/a.test.ts', 'test/core/plan/b.test.ts'],
    ['test/x.test.ts']
  ])
  t.same(testsFor('core/plan/a.ts', reaching, times, 1), [['test/core/plan/a.test.ts']], 'its own always')
  t.same(testsFor('core/other/a.ts', [], times, 10), [])
  t.equal(roomOf('surfaces/play/practice/page/board.tsx'), 'surfaces/play')
  t.end()
})
