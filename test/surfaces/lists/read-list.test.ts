import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../../../bin/roots.ts'
import { formIds, lineFields } from '../../../surfaces/lists/forms.ts'
import { readList } from '../../../surfaces/lists/read-list.ts'

const folder = join(packageFolder, 'test/surfaces/lists/data')
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')

type Origin = Readonly<{
  file: string
  form: string
  repository: string
  lines: number
  shows: Readonly<Record<string, unknown>>
  left_out?: readonly string[]
}>
const origins = parse(textOf('origins.yaml')) as readonly Origin[]

t.test('two real files of every form are read whole, and no column of prices, pictures or notes', t => {
  for (const form of formIds.filter(id => id !== 'table'))
    t.equal(origins.filter(origin => origin.form === form).length, 2, form)
  const nothing = Object.fromEntries(lineFields.map(field => [field, null]))
  for (const { file, form, lines: many, shows, left_out: leftOut = [] } of origins) {
    const { form: seen, lines, leftOut: left } = readList(textOf(file))
    t.equal(seen, form, file)
    t.equal(lines.filter(line => line.count !== undefined && line.form === form).length, many, file)
    t.equal(lines.length, many, file)
    const { line, text, form: own, ...last } = lines.at(-1) as Readonly<Record<string, unknown>>
    t.same(last, { ...nothing, ...shows }, file)
    t.same([line, own], [line, form])
    t.ok(text)
    t.same(left, leftOut, file)
    t.notMatch(JSON.stringify(lines), '111111.11', file)
  }
  t.end()
})

t.test('sections, counts before and behind, marks of finish and language', t => {
  const { lines } = readList(
    'Deck\n3x Nami [ja]\nNami x2\n1 Nami (SLD) 12★ *F*\nSB: 1 Nami\n// Sideboard\n2 Zoro (alt art)\n# mine\n1 op-op01-001-en\n'
  )
  t.match(lines, [
    { line: 2, count: 3, name: 'Nami', language: 'ja', section: 'main' },
    { line: 3, count: 2, name: 'Nami', finish: null },
    { line: 4, count: 1, form: 'arena', set: 'SLD', number: '12★', finish: 'foil' },
    { line: 5, section: 'sideboard' },
    { line: 7, set_name: 'alt art', section: 'sideboard' },
    { line: 9, sku: 'op-op01-001-en' }
  ])
  t.end()
})

t.test('an empty text has no line, and the name of a column may be anything', t => {
  t.same(readList(''), { form: null, lines: [], leftOut: [] })
  t.match(readList('__proto__,constructor,number\na,b,OP01-001'), {
    form: 'table',
    leftOut: ['constructor'],
    lines: [{ number: 'OP01-001' }]
  })
  t.end()
})
