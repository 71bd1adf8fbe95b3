import t from 'tap'
import type { JsonValue } from '../../../../core/canonical/json.ts'
import { compileExpression, compileLoops } from '../../../../surfaces/import/reading/expression.ts'
import type { Modifiers } from '../../../../surfaces/import/source.ts'

const read = (value: JsonValue, modifiers: Modifiers): JsonValue =>
  compileExpression({ path: 'row', ...modifiers }, { tables: new Map() })({ row: value })

t.test('a text is cut into a list, of which one member can be taken', t => {
  t.same(read('Né Né Thomas; Greg Simanson & A', { split: [';', '&'] }), ['Né Né Thomas', 'Greg Simanson', 'A'])
  t.equal(read('Mog (XIII-2) (1-196S)', { split: ['('], item: -1, pattern: '^(?<n>[^)]+)\\)$', group: 'n' }), '1-196S')
  t.equal(read(['a', 'b'], { item: 0 }), 'a')
  t.equal(read('a', { split: ['x'], item: 1 }), null)
  t.equal(read(null, { split: ['x'] }), null)
  t.equal(read(' ; ', { split: [';'] }), null)
  t.end()
})

t.test('entities become characters, layout becomes one blank', t => {
  t.equal(
    read('Kid &amp; Killer &lt;2&gt; &#39;&#x2605; &unknown;', { transform: ['unescape'] }),
    "Kid & Killer <2> '★ &unknown;"
  )
  t.equal(read('LR                +', { transform: ['trim'] }), 'LR +')
  t.equal(
    read('\uFEFF\u3000a\u00A0b\u3000c\u202F', { transform: ['trim'] }),
    'a\u00A0b\u3000c',
    'no-break and ideographic blanks and the byte order mark go at the edges alone'
  )
  t.equal(read('&#9999999;', { transform: ['unescape'] }), '&#9999999;')
  t.end()
})

t.test('one value becomes a list, and a list stays as it is', t => {
  t.same(read('A', { transform: ['list'] }), ['A'])
  t.same(read(' A ', { transform: ['trim', 'list'] }), ['A'])
  t.same(read(['A ', 'B'], { transform: ['trim', 'list'] }), ['A', 'B'])
  t.same(read('A & B', { split: ['&'], transform: ['list', 'lower'] }), ['a', 'b'])
  t.equal(read(null, { transform: ['list'] }), null)
  t.end()
})

t.test('what every object inherits is no member of a row', t => {
  const at = (path: string, row: JsonValue): JsonValue => compileExpression(path, { tables: new Map() })({ row })
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    t.equal(at(`row.${name}`, {}), null, name)
    t.equal(at(`row.${name}`, JSON.parse(`{"${name}":"own"}`) as JsonValue), 'own', name)
  }
  t.equal(at('row.length', ['a']), null)
  t.equal(at('row.0', ['a']), 'a')
  t.equal(at('row.a.b', { a: 'text' }), null)
  t.end()
})

t.test('loops give keys and positions, and run over a text that is split', t => {
  const scopes = (value: JsonValue, step: object) =>
    [...compileLoops([{ as: 'one', each: 'row', ...step }])({ row: value })].map(({ one, key }) => [key, one])
  t.same(scopes({ en: 1, fr: 2 }, { key: 'key' }), [
    ['en', 1],
    ['fr', 2]
  ])
  t.same(scopes('Jyhad:C, VTES:C', { split: [','] }), [
    [undefined, 'Jyhad:C'],
    [undefined, 'VTES:C']
  ])
  t.same(scopes(null, { split: [','] }), [])
  t.same(scopes('text', {}), [])
  t.end()
})
