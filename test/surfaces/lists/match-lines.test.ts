import t from 'tap'
import { formIds } from '../../../surfaces/lists/forms.ts'
import { mostMistaken } from '../../../surfaces/lists/near-lines.ts'
import { silent } from '../../../core/database/connection.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
t.teardown(() => database.close())
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))

type Found = Readonly<{ sku: string; name: string | null }>
type List = Readonly<{
  form: string
  columns_left_out: readonly string[]
  counts: Readonly<Record<string, number>>
  lines: readonly Readonly<{
    line: number
    text: string
    certainty: string
    card: Found | null
    nearest: readonly Found[]
  }>[]
  nearest_left_out: readonly number[]
  written: Readonly<{ text: string; left_out: readonly number[]; file_name: string }> | null
}>

const post = async (body: Readonly<Record<string, unknown>>): Promise<{ status: number; text: string; data: List }> => {
  const response = await get('/api/v1/cards/list', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  return { status: response.status, text, data: (JSON.parse(text) as { data: List }).data }
}
const told = async (text: string, more = {}): Promise<readonly string[]> =>
  (await post({ text, ...more })).data.lines.map(({ certainty, card }) => `${certainty} ${card?.sku ?? ''}`.trim())

t.test('a number, a SKU, a set with a number and a name mean their card, and how sure it is is said', async t => {
  const lang = 'en'
  t.same(await told('4xOP01-016\n1 op-op01-001-en\n2 Nami (OP01) 016\n1 Nami (OP01-016)\n3 OP01 016', { lang }), [
    'exact op-op01-016-en',
    'exact op-op01-001-en',
    'exact op-op01-016-en',
    'exact op-op01-016-en',
    'exact op-op01-016-en'
  ])
  t.same(await told('OP01-016'), ['likely op-op01-016-en'], 'printings in several languages')
  t.same(await told('Nami', { lang }), ['ambiguous'], 'many numbers have the name')
  t.same(await told('1 Roronoa Zoro (OP01-016)', { lang }), ['ambiguous'], 'the number says one card, the name another')
  t.same(await told('1 Nami (XYZ) OP01-016', { game: 'op', lang }), ['likely op-op01-016-en'], 'a set that is not held')
  for (const text of ['OP01001', 'op1-1', 'op01-1', 'op01 001', 'quantity,number\n1,OP01001'])
    t.same(await told(text, { lang }), ['exact op-op01-001-en'], `${text} is a number, as in a search`)
  t.same(await told('OP 01 001', { lang }), ['likely op-op01-001-en'], 'which may be a name')
  t.same(await told('name,number\nNami,OP01016', { lang }), ['exact op-op01-016-en'])
  t.same(await told('OP99-999\nNo such card at all'), ['none', 'none'])
  t.same(await told('0 OP01-001\n1 OP01-001', { lang }), ['unread', 'exact op-op01-001-en'])
})

t.test('where no card is meant, what is near is told', async t => {
  const { data } = await post({ text: 'OP01-0168\nNami no such' })
  t.match(data.lines[0]?.nearest[0]?.sku, /^op-op01-016-/)
  t.match(data.lines[1]?.nearest[0]?.name, /Nami/)
  for (const { nearest } of data.lines) t.ok(nearest.length <= 3)
})

t.test('a name with a typing mistake is mended as in a search, for a stated number of names', async t => {
  const { data } = await post({ text: 'Roronoa Zorro\n2x Roronoa Zorro (OP06) 118\nMonkey.D.Lufy\nTrafalgar Lwa [ja]' })
  t.match(
    data.lines.map(({ certainty, nearest }) => [certainty, nearest[0]?.name]),
    [
      ['none', 'Roronoa Zoro'],
      ['likely', 'Roronoa Zoro'],
      ['none', 'Monkey.D.Luffy'],
      ['none', /^Trafalgar Law/]
    ]
  )
  const several = await post({ text: '1 Roronoa Zorro (OP06)' })
  t.match(several.data.lines[0]?.nearest[0]?.sku, /^op-op06-/, 'of the set that is said')
  const name = (at: number): string => `Roronoa Zorr${String.fromCharCode(97 + (at % 26))} ${'xyzw'[at % 4]}${at}`
  const many = await post({ text: Array.from({ length: 300 }, (_, at) => `1 ${name(at % 150)}`).join('\n') })
  t.same(
    many.data.nearest_left_out,
    [...Array(300).keys()].filter(at => at % 150 >= mostMistaken).map(at => at + 1),
    'a name counts once'
  )
  t.same((await post({ text: '1 Roronoa Zorro\n'.repeat(500) })).data.nearest_left_out, [])
})

t.test('a table is found by name with the name of its set, and is written again in every form', async t => {
  const text =
    'Count,Tradelist Count,Name,Edition,Card Number,Condition,Language,Foil,My Price\n2,0,Nami,ROMANCE DAWN,016,Near Mint,English,,3'
  const { data } = await post({ text })
  t.match(data, {
    form: 'deckbox',
    columns_left_out: ['Tradelist Count', 'My Price'],
    lines: [{ certainty: 'exact', card: { sku: 'op-op01-016-en' } }]
  })
  for (const write of formIds) {
    const { written } = (await post({ text, write })).data
    t.same(written?.left_out, [], write)
    t.same(await told(written?.text ?? '', { lang: 'en' }), ['exact op-op01-016-en'], written?.text ?? write)
  }
})

t.test('no value of a price, a picture or a note is in an answer', async t => {
  const canary = 'canary-871.93'
  for (const head of ['Price', 'Purchase Price', 'Image', 'Notes', 'Tags', 'My Price', 'MARKET'])
    for (const write of formIds) {
      const { status, text } = await post({ text: `Quantity,Number,${head}\n2,OP01-016,${canary}`, write })
      t.equal(status, 200)
      t.notMatch(text, canary)
      t.match(text, `"columns_left_out":["${head}"]`)
    }
  const { status, text } = await post({ text: `Owner,Thing,Price\nme,it,${canary}` })
  t.equal(status, 400, 'a table that names no card is not read')
  t.notMatch(text, canary)
})

t.test('a table of cards and prices is read by its cards, and lines that have prices are not', async t => {
  const { data } = await post({ text: 'Card,Price\nNami,3\nRoronoa Zoro,4.20', game: 'op' })
  t.match(data, { form: 'table', columns_left_out: ['Price'] })
  t.same(
    data.lines.map(({ text, certainty }) => [text, certainty]),
    [
      ['1 Nami', 'ambiguous'],
      ['1 Roronoa Zoro', 'ambiguous']
    ]
  )
  const priced = [
    'Nami,3.50',
    'Nami;3',
    'Nami\t3',
    'Nami, 3',
    '2 Nami $3',
    '1 Nami 3,50 €',
    '1 Nami (OP01) 3.5',
    'Nami (3.50)'
  ]
  for (const text of [...priced, 'OP01-016,3', '1 https://x.example/1.png', '0 Nami 3.50', `1 ${'a'.repeat(200)},3`])
    t.match((await post({ text, write: 'text' })).data, {
      lines: [{ line: 1, text: 'Line 1', certainty: 'unread', stated: null, nearest: [] }],
      written: { text: '' }
    })
  t.match((await post({ text: 'number,Price 2,3.50\nOP01-016,,' })).data.columns_left_out, ['Column 2', 'Column 3'])
  const { rows } = await database.bulk.raw<{ rows: Readonly<{ name: string }>[] }>(
    String.raw`select name from card_names where name ~ '[;|$€]|,\S|[0-9][.,][0-9]' order by name limit 20`
  )
  for (const { name } of rows) t.not((await post({ text: name })).data.lines[0]?.certainty, 'unread', name)
})

t.test('a list comes as a file, and is bounded', async t => {
  const send = async (content: string, type = 'text/csv'): Promise<Response> => {
    const form = new FormData()
    form.set('lang', 'en')
    form.set('file', new File([content], 'mine.csv', { type }))
    return await get('/api/v1/cards/list', { method: 'POST', body: form })
  }
  t.match(await (await send('quantity,number\n3,OP01-016')).json(), {
    data: { form: 'table', lines: [{ count: 3, certainty: 'exact' }] }
  })
  t.match(await (await send('3 OP01-016', 'text/plain')).json(), { data: { form: 'text' } })
  t.match(await (await send('thing,price\nNami,3')).json(), {
    error: { code: 'INVALID_INPUT', details: { field: 'file', allowed: ['sku', 'number'] } }
  })
  t.match(
    await post({ text: 'thing, worth\nNami, mine', table: true }),
    { status: 400 },
    'a text may be said to be one'
  )
  t.equal((await send('a'.repeat(100_001))).status, 413)
  t.equal((await send('\0')).status, 400)
  for (const body of [
    { text: 'OP01-016\n'.repeat(501) },
    { text: '\n\n' },
    { text: 'Nami\0' },
    { text: 'OP01-016', write: 'excel' },
    { text: 'OP01-016', game: 'solitaire' },
    {}
  ])
    t.match(await post(body), { status: 400 }, JSON.stringify(body).slice(0, 60))
  const many = await post({
    text: Array.from({ length: 500 }, (_, at) => `1 OP01-${String(at).padStart(3, '0')}`).join('\n')
  })
  t.equal(many.data.lines.length, 500)
})
