import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/project.ts'
import { catalog } from '../../../core/diagnostics/catalog.ts'
import { faults, type FaultCode } from '../../../core/database/fault-texts.ts'
import { everyFile } from '../../support/source-code.ts'

const codes = Object.keys(faults) as FaultCode[]

/** The codes that files name, in quotes. */
const namedIn = (files: readonly string[]): ReadonlySet<string> =>
  new Set(
    files
      .flatMap(file => [...readFileSync(join(packageFolder, file), 'utf8').matchAll(/(?<=['"[])O\d{3}(?=['"\]\\])/g)])
      .map(([code]) => code)
  )

t.test('every code of a fault is thrown somewhere, and expected by a test', t => {
  const isCode = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('/fault-texts.ts')
  const own = namedIn([...everyFile(packageFolder, 'core'), ...everyFile(packageFolder, 'bin')].filter(isCode))
  t.same(
    codes.filter(code => !own.has(code)),
    [],
    'thrown'
  )
  const tests = namedIn(everyFile(packageFolder, 'test').filter(file => file.endsWith('.test.ts')))
  t.same(
    codes.filter(code => !tests.has(code)),
    [],
    'expected'
  )
  t.end()
})

t.test('every code of a fault says what it is, its causes and what to do', t => {
  for (const code of codes) {
    t.match(code, /^O[1-59][0-9]{2}$/)
    t.notOk(Object.hasOwn(catalog, code), `${code} is not the code of a mistake too`)
    t.match(faults[code].title, /^[A-Z`].*[^.]$/, `${code}: the title is a phrase`)
    t.match(faults[code].explain, /\.$/, `${code}: the explanation is made of sentences`)
  }
  t.end()
})

t.test('codes of faults are permanent', t => {
  const published = readFileSync(join(packageFolder, 'test/core/database/faults.list'), 'utf8').trim().split('\n')
  t.same(codes, published)
  t.end()
})
