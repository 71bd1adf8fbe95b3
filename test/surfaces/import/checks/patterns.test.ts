import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { isSafePattern } from '../../../../core/schema/patterns.ts'
import { checkAttribute } from '../../../../surfaces/import/checks/check-source.ts'
import { saferPattern } from '../../../../surfaces/import/checks/patterns.ts'
import { dataFolder } from '../lantern.ts'

const unsafe = parse(readFileSync(join(dataFolder, 'unsafe-patterns.yaml'), 'utf8')) as readonly Readonly<{
  pattern: string
  sample: string
  takes: string
}>[]

t.test('the rewrite that is offered for an unsafe pattern is accepted, and takes the same of its sample', t => {
  for (const { pattern, sample, takes } of unsafe) {
    t.notOk(isSafePattern(pattern), pattern)
    t.equal(new RegExp(pattern, 'u').exec(sample)?.groups?.['a'], takes)
    const safer = saferPattern(pattern, isSafePattern) ?? ''
    t.ok(isSafePattern(safer), `${pattern} is ${safer}`)
    t.equal(new RegExp(safer, 'u').exec(sample)?.groups?.['a'], takes, safer)
  }
  t.end()
})

t.test('the hint names it, and nothing where none is known', t => {
  const hint = (form: string) =>
    checkAttribute({ name: 'a', types: ['text'], meaning: 'A', form }, isSafePattern, () => undefined)[0]?.hint ?? ''
  t.match(hint('^(a+)+$'), /^Write `\^a\+\$`\. Anchor/)
  t.match(hint('^(a|b|ab)*c$'), /^Anchor/)
  t.equal(saferPattern('(', isSafePattern), undefined)
  t.end()
})
