import t from 'tap'
import { SentFile } from '../../../core/handler/handler.ts'
import { joinLists } from '../../../surfaces/people/card-lists.ts'

const sent = (content: string | Uint8Array, type = 'text/csv', pasted = ''): string =>
  joinLists(pasted, new SentFile('file', { name: 'list', type, bytes: Buffer.from(content) }))

t.test('of a table the card and how many of it are read, and no price or link', t => {
  t.equal(
    sent('Quantity,Number,Price,Link\r\n2,OP01-001,"1,234.50 USD",https://shop.example/1\r\n,OP01-002,3,\r\n'),
    '2 OP01-001\n1 OP01-002'
  )
  t.equal(sent('sku;qty;market_value\nop-op01-001-en;3;9,99'), '3 op-op01-001-en')
  t.equal(sent('Name\tCard Number\nZoro, the first\tOP01-001'), '1 Zoro, the first (OP01-001)')
  t.equal(sent('Card,Price\nZoro,3'), '1 Zoro')
  t.equal(sent('number\nOP01-001\nOP01-002'), '1 OP01-001\n1 OP01-002')
  t.equal(sent('\ufeff"sku","count"\n"op-op01-001-en","2"'), '2 op-op01-001-en', 'as a spreadsheet writes it')
  t.equal(
    sent('sku,number,quantity\na-1,7,2\n,OP01-001,3', 'text/plain'),
    '2 a-1\n3 OP01-001',
    'the first that is there'
  )
  t.equal(sent('sku,quantity\ra-1,2\r'), '2 a-1', 'line ends of old programs')
  t.equal(sent('Quantity, "SKU"\n2, a-1'), '2 a-1')
  t.equal(sent('sep=;\n\nsku;"Name; edition";quantity\na-1;"Zoro; first";2.0'), '2 a-1', 'as a spreadsheet writes it')
  t.equal(sent('sku,quantity\n"a\n1",1'), '1 a 1', 'a line break in a cell is no line')
  t.equal(sent('Quantity,Number,SKU\n2,OP01-001,7654321'), '2 OP01-001', 'the SKU of a shop')
  t.equal(sent('"sep=,"\nsku,quantity\na-1,2\n,,\n,\n'), '2 a-1', 'rows of nothing')
  t.match(sent('sku,quantity\na-1,"1,000"'), 'no whole number')
  t.end()
})

t.test('a row that cannot be read is told, and what it has is not', t => {
  t.equal(
    sent('sku,quantity,link\na-1,https://shop.example/ 871.93,x\n,2,https://shop.example/'),
    'Row 1 has a quantity that is no whole number from 1 to 999.\nRow 2 names no card.'
  )
  t.end()
})

t.test('lines of text are lines, beside those that were pasted', t => {
  t.equal(sent('2 OP01-001\n# mine\nOP01-002', 'text/plain'), '2 OP01-001\n# mine\nOP01-002')
  t.equal(sent('OP01-002', 'text/plain', 'OP01-001'), 'OP01-001\nOP01-002')
  t.equal(joinLists('OP01-001', undefined), 'OP01-001')
  t.equal(sent('', 'text/plain', ' '), '')
  t.end()
})

t.test('a table without a column of cards, a broken row and what is no text are refused with the field', t => {
  for (const [content, message] of [
    ['thing,price\nZoro,3', /no column of a card/],
    ['sku,quantity\n', /no rows/],
    ['sku,quantity\n"a" b,1', /Row 1 of the table/],
    ['sku,quantity\na,1\nb,1,https://shop.example', /Row 2 of the table/],
    [Buffer.from([0xff, 0xfe, 0x41]), /must be text in UTF-8/],
    ['sku\na\0b', /must be text in UTF-8/]
  ] as const)
    t.throws(() => sent(content), { status: 400, message, details: { field: 'file' } })
  t.throws(() => sent('Thing,Qty,Price,Link\nOP01-001,2,871.93,https://x.example/', 'text/plain'), {
    message: /no column of a card/
  })
  t.end()
})
