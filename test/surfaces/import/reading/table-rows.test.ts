import fc from 'fast-check'
import t from 'tap'
import { cut } from '../../../../core/source/cut-json.ts'
import { tableRows, type Dialect, type TableRow } from '../../../../surfaces/import/reading/table-rows.ts'

const comma: Dialect = { delimiter: ',', quotes: true }

function* piecesOf(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function rows(text: string, dialect: Dialect = comma, size = 5): Promise<TableRow[]> {
  const all: TableRow[] = []
  for await (const found of cut(piecesOf(text, size), tableRows(dialect))) all.push(...found)
  return all
}

const good = async (text: string, dialect?: Dialect): Promise<unknown[]> =>
  (await rows(text, dialect)).map(({ row, problem }) => problem ?? row)

t.test('any text in quotes comes back, whatever the delimiter, the line end and the cut', async t => {
  const text = fc.string({ minLength: 1, unit: fc.constantFrom('a', '"', ',', '\t', '\n', ' ', 'é', '字') })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ one: text, two: text }), { minLength: 1 }),
      fc.constantFrom<[Dialect['delimiter'], string]>([',', '\n'], ['\t', '\r\n'], [',', '\r\n']),
      fc.integer({ min: 1, max: 9 }),
      async (given, [delimiter, end], size) => {
        const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`
        const written = [
          `one${delimiter}two`,
          ...given.map(({ one, two }) => quoted(one) + delimiter + quoted(two))
        ].join(end)
        t.same(
          await rows(written, { delimiter, quotes: true }, size),
          given.map(row => ({ row, problem: undefined }))
        )
      }
    ),
    { numRuns: 200 }
  )
})

t.test('the four dialects', async t => {
  t.same(
    await good('"Id","Text"\n"1","a, ""b""\nc"\n'),
    [{ Id: '1', Text: 'a, "b"\nc' }],
    'comma, all quoted, with a line break'
  )
  t.same(
    await good('set,name\r\nA,\r\nB,Bee\r\n'),
    [{ set: 'A' }, { set: 'B', name: 'Bee' }],
    'comma, CRLF; an empty field is left out'
  )
  t.same(
    await good('a\tb\t\t\n1\t"x\ny"\t\t\n', { delimiter: '\t', quotes: true }),
    [{ a: '1', b: 'x\ny' }],
    'tab, quoted, with columns that have no name'
  )
  t.same(
    await good('Name\tCategory 1 \n"Mog"\tII\n', { delimiter: '\t', quotes: false }),
    [{ Name: '"Mog"', 'Category 1 ': 'II' }],
    'tab without quoting: quotation marks are text'
  )
})

t.test('quotation marks within a plain field are text', async t => {
  t.same(await good('a,b\n6" tall, "x"\n'), [{ a: '6" tall', b: ' "x"' }])
})

t.test('a line that does not fit is one bad row, and the next one is read', async t => {
  t.same(
    (await rows('a,b\n1,2,3\n"x"y,2\n4,5\n')).map(({ problem }) => problem),
    [
      'The line has 3 fields, the table 2 (line 2, column 5).',
      'A quotation mark is in a place where none can be (line 3, column 4).',
      undefined
    ]
  )
  t.match((await rows('a,b\n1,"2\n')).at(-1), { problem: /quotation mark/ }, 'an end within quotes')
})

t.test('the place counts lines within quotes, whatever the cut', async t => {
  const text = 'a,b\r\n"x\ny",2\r\n\n1,"2"z\n1,"2\n3",4\n"'
  for (const size of [1, 2, 3, 50])
    t.same(
      (await rows(text, comma, size)).map(({ problem }) => problem),
      [
        undefined,
        'A quotation mark is in a place where none can be (line 5, column 6).',
        'The line has 3 fields, the table 2 (line 7, column 4).',
        'A quotation mark is in a place where none can be (line 8, column 2).'
      ],
      String(size)
    )
})

t.test('empty lines are no rows, and a table may have none', async t => {
  t.same(await good('a,b\n\n1,2\n\n'), [{ a: '1', b: '2' }])
  t.same(await good('a,b'), [])
  t.same(await good(''), [])
})
