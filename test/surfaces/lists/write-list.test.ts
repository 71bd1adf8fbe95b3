import fc from 'fast-check'
import t from 'tap'
import {
  conditions,
  formIds,
  lineFields,
  sectionIds,
  tableForms,
  type LineField
} from '../../../surfaces/lists/forms.ts'
import type { FormId, TableForm } from '../../../surfaces/lists/forms.ts'
import type { ListLine } from '../../../surfaces/lists/list-text.ts'
import { readList } from '../../../surfaces/lists/read-list.ts'
import { writeList } from '../../../surfaces/lists/write-list.ts'

const word = fc.constantFrom('Nami', 'Zoro', 'Ænea', 'ナミ', "Kraken's", 'of', 'Luffy,', '//', '"Rumors"', '+2', 'Ex')
const name = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map(words => `Roronoa ${words.join(' ')} Bolt`)
  .filter(text => !text.includes('Ex Bolt'))
const set = fc.constantFrom('OP01', 'MH2', '2X2', 'TLA')
const number = fc.constantFrom('016', '12a', 'U8', '4')

/** What each form of text holds; tables hold what their columns hold. */
const held: Readonly<Record<string, readonly LineField[]>> = {
  simulator: ['number'],
  arena: ['name', 'set', 'number', 'section'],
  'pokemon-live': ['name', 'set', 'number', 'section'],
  text: ['name', 'set', 'number', 'language', 'section']
}
const tableOf = (form: FormId): TableForm | undefined =>
  (tableForms as readonly TableForm[]).find(({ id }) => id === form)
const fieldsOf = (form: FormId): readonly LineField[] =>
  held[form] ?? tableOf(form)?.columns.flatMap(([, field]) => (field === 'count' ? [] : [field])) ?? []

/** The values that a form has words for, or else all. */
const valuesOf = (form: FormId, field: LineField, all: readonly string[]): fc.Arbitrary<string> => {
  const words = Object.keys(tableOf(form)?.words?.[field] ?? {})
  return fc.constantFrom(...(words.length > 1 ? words : all))
}

const lineOf = (form: FormId): fc.Arbitrary<ListLine> => {
  const values: Readonly<Record<LineField, fc.Arbitrary<string>>> = {
    sku: fc.constantFrom('op-op01-001-en', 'fab-ele-041-en-cf'),
    name,
    set,
    set_name: fc.constantFrom('Romance Dawn', 'Tales, "Old" and new'),
    number: form === 'simulator' ? fc.constantFrom('OP01-016', 'P-096', 'OP01-016_p1') : number,
    finish: valuesOf(form, 'finish', ['normal', 'foil', 'etched']),
    language: valuesOf(form, 'language', ['en', 'ja', 'zh-hant']),
    condition: valuesOf(form, 'condition', conditions),
    section: form === 'mtgo' ? fc.constantFrom('main', 'sideboard') : fc.constantFrom(...sectionIds)
  }
  const fields = fieldsOf(form)
  return fc
    .record({
      count: fc.integer({ min: 1, max: 999 }),
      ...Object.fromEntries(
        lineFields.map(field => [field, fields.includes(field) ? values[field] : fc.constant(null)])
      )
    })
    .map(line => ({ line: 1, text: '', form, ...line }) as ListLine)
}

const stated = ({ count, ...line }: ListLine): unknown => [count, ...lineFields.map(field => line[field])]

t.test('what is written in a form and read again is the same lines, in the same form', t => {
  for (const form of formIds) {
    fc.assert(
      fc.property(fc.array(lineOf(form), { minLength: 1, maxLength: 12 }), lines => {
        const { text, left_out: left, file_name: file } = writeList(form, lines)
        const read = readList(text)
        t.strictSame(
          read.lines.map(line => (line.count === undefined ? line : stated(line))),
          lines.map(stated),
          text
        )
        t.same(left, [])
        t.match(file, /^cards-[a-z-]+\.(csv|txt)$/)
        if (tableOf(form) !== undefined) t.equal(read.form, form)
        t.same(read.leftOut, [])
      }),
      { numRuns: 40 }
    )
  }
  t.end()
})

t.test('a line that a form has no place for is told', t => {
  const { lines } = readList('2 Nami\n4xOP01-016')
  const both = lines.filter(line => line.count !== undefined)
  t.match(writeList('simulator', both), { text: '4xOP01-016\n', left_out: [1] })
  t.match(writeList('arena', both), { text: '2 Nami\n', left_out: [2] })
  t.end()
})

t.test('a name that a spreadsheet may run is written as a text', t => {
  const { lines } = readList('1 =HYPERLINK("https://x.example")')
  const { text } = writeList(
    'moxfield',
    lines.filter(line => line.count !== undefined)
  )
  t.match(text, `"'=HYPERLINK(""https://x.example"")"`)
  t.match(readList(text).lines, [{ name: '=HYPERLINK("https://x.example")' }])
  t.end()
})
