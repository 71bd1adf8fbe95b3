import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../../../bin/roots.ts'
import type { JsonValue } from '../../../core/canonical/json.ts'
import { buildSku, type Sku } from '../../../surfaces/cards/sku.ts'
import { compileExpression, compileLoops, compileModifiers } from '../../../surfaces/import/reading/expression.ts'
import type { Expression, RowStep } from '../../../surfaces/import/source.ts'

type Example = Readonly<{
  row?: JsonValue
  gives?: readonly (readonly [Expression, JsonValue])[]
  sku?: readonly (readonly [Sku, string])[]
}>

const guide = readFileSync(join(packageFolder, 'docs/sources.md'), 'utf8')
const examples = [...guide.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => parse(text) as Example)

t.test('the examples of the guide give what it says', t => {
  let ran = 0
  for (const { row = null, gives = [], sku = [] } of examples) {
    for (const [expression, value] of gives)
      t.same(compileExpression(expression, { tables: new Map() })({ row }), value, JSON.stringify(expression))
    for (const [parts, text] of sku) t.equal(buildSku(parts), text)
    ran += gives.length + sku.length
  }
  t.ok(ran >= 15, `${ran} examples`)
  t.end()
})

t.test('the guide names the modifiers in the order in which they work', t => {
  const modifiers = readFileSync(join(packageFolder, 'surfaces/import/reading/expression.ts'), 'utf8')
  const words = ['where', 'split', 'item', 'none', 'replace', 'pattern', 'values', 'transform', 'format', 'pad']
  for (const text of [guide, modifiers]) {
    const sentence = /order[^]*?`where`[^]*?`pad`/.exec(text)?.[0] ?? ''
    const named = words.map(word => sentence.indexOf(`\`${word}\``))
    t.ok(!named.includes(-1))
    t.same(
      named,
      [...named].sort((a, b) => a - b)
    )
  }
  t.end()
})

t.test('modifiers in that order: what an earlier one makes, a later one takes', t => {
  const change = compileModifiers({
    split: [','],
    item: 0,
    none: ['x'],
    replace: { a: 'b' },
    pattern: '^(?<g>b+)$',
    group: 'g',
    values: { bb: '7' },
    transform: ['upper'],
    pad: 2
  })
  t.equal(change('aa,c'), '07')
  t.equal(change('x,aa'), null)
  t.equal(compileModifiers({ replace: { '1': 'one' } })(1), 'one')
  t.equal(compileModifiers({ pad: 3 })('12a'), '12a', 'what is no number is not filled up')
  t.equal(compileModifiers({ format: 'Y.M.D' })('soon'), 'soon', 'what is no date becomes a note later')
  t.equal(compileModifiers({ where: { name: 'Cost' }, take: 'value' })([{ name: 'Power', value: 1 }]), null)
  t.equal(compileModifiers({ where: { name: 'Cost' }, take: 'value' })('text'), null)
  t.end()
})

t.test('an expression with a name, and one that works only when another says so', t => {
  const named = {
    tables: new Map(),
    expressions: {
      set: { path: 'row.no', pattern: '^(?<set>[^-]+)', group: 'set' },
      low: { use: 'set', transform: ['lower'] }
    } as const
  }
  const row = { row: { no: 'OP01-1', alt: true } }
  t.equal(compileExpression({ join: [{ use: 'low' }, { use: 'set' }], with: '/' }, named)(row), 'op01/OP01')
  t.equal(compileExpression({ const: 'alt', when: { value: 'row.alt', is: [true] } }, named)(row), 'alt')
  t.equal(compileExpression({ const: 'alt', when: { value: 'row.alt', is: [false, 'true'] } }, named)(row), null)
  t.end()
})

t.test(
  'a loop without a member tries other paths, then runs once over what is declared instead, and else loses the row',
  t => {
    const lost: string[] = []
    const run = (row: JsonValue, step: Partial<RowStep>): readonly unknown[] =>
      [
        ...compileLoops([{ as: 'print', each: 'row.prints', ...step }], loop => {
          lost.push(loop)
        })({ row })
      ].map(({ print }) => print)
    t.same(run({ prints: [1, 2] }, { or: ['row.versions'] }), [1, 2])
    t.same(run({ prints: [], versions: [3] }, { or: ['row.versions'] }), [3])
    t.same(run({ name: 'A' }, { or: ['row.versions'], otherwise: 'row' }), [{ name: 'A' }])
    t.same(lost, [])
    t.same(run({ name: 'A' }, {}), [])
    t.same(lost, ['print'])
    t.end()
  }
)
