import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import t from 'tap'
import { openApart, tablesApart } from '../../../bin/load/read-apart.ts'
import { openWorkbook } from '../../../bin/load/read-workbook.ts'
import { writeWorkbook } from '../../support/workbook.ts'

const folder = t.testdir()
const at = (name: string): string => join(folder, name)

async function rowsOf(path: string, sheet?: string) {
  const { read, notes } = await openWorkbook(path, sheet)
  const rows = []
  for await (const row of read()) rows.push('values' in row ? [row.line, Object.fromEntries(row.values)] : row)
  return { rows, notes: [...notes] }
}

t.test('a row is an object by the names of the first row, with its number', async t => {
  const path = writeWorkbook(at('one.xlsx'), {
    Cards: [
      ['No', 'Name', 'Cost', 'Out', 'Foil', null, 'Name'],
      ['007', 'Tide & Ebb', 3, { day: 45425 }, true, 'beside', 'twice'],
      [null, null, null],
      ['008', '潮', 1.5, { day: 45425.25 }, false]
    ],
    Empty: []
  })
  t.strictSame(await rowsOf(path), {
    rows: [
      [2, { No: '007', Name: 'Tide & Ebb', Cost: 3, Out: '2024-05-13', Foil: true }],
      [4, { No: '008', Name: '潮', Cost: 1.5, Out: '2024-05-13T06:00:00.000Z', Foil: false }]
    ],
    notes: ['Of two columns `Name` the first is taken.']
  })
})

t.test('a sheet is named where there are several', async t => {
  const path = writeWorkbook(at('two.xlsx'), { Sets: [['code'], ['AB1']], Cards: [['id'], ['c1']] })
  t.strictSame((await rowsOf(path, 'Cards')).rows, [[2, { id: 'c1' }]])
  t.strictSame(await tablesApart({ path, form: 'xlsx' }), ['Sets', 'Cards'])
  await t.rejects(rowsOf(path), { message: /has 2 sheets: name one with --from-table: `Sets`, `Cards`\.$/ })
  await t.rejects(rowsOf(path, 'Card'), { message: /has no sheet `Card`; did you mean `Cards`\?*\.$/ })
})

t.test('what is no workbook is told', async t => {
  writeFileSync(at('none.xlsx'), 'id,name\n1,Tide\n')
  await t.rejects(openApart({ path: at('none.xlsx'), form: 'xlsx' }), {
    message: new RegExp(`^${at('none.xlsx')} cannot be read as a workbook: `)
  })
})

t.test('a file that grows without bound is ended, and told', async t => {
  const path = writeWorkbook(at('bomb.xlsx'), { Cards: [['id'], ['c1']] })
  const blanks = Buffer.alloc(2 ** 28, ' ')
  writeFileSync(
    path,
    zipSync({
      '[Content_Types].xml': Buffer.from('<Types/>'),
      'xl/workbook.xml': blanks,
      'xl/_rels/workbook.xml.rels': blanks,
      'xl/worksheets/sheet1.xml': blanks
    })
  )
  await t.rejects(openApart({ path, form: 'xlsx' }, { memory: 2 ** 28, silence: 60_000 }), {
    code: 'O409',
    message: /bomb\.xlsx is not read any further: it takes more than 256 MiB of memory/
  })
})
