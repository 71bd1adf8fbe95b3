import t from 'tap'
import { bundledDatabase } from '../../support/bundled.ts'
import { unescaped } from '../../support/markup.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { url: databaseUrl } = await bundledDatabase(t)
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl }))

const post = async (
  fields: Readonly<Record<string, string | Blob>>
): Promise<Readonly<{ status: number; html: string }>> => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  const response = await get('/list', { method: 'POST', body })
  return { status: response.status, html: unescaped(await response.text()) }
}

t.test('the page has a form, and shows the card of each line that was pasted', async t => {
  const form = await (await get('/list')).text()
  t.match(form, /<form action="\/list" method="post" enctype="multipart\/form-data">/)
  const { status, html } = await post({ text: '4xOP01-016\n2 OP99-999\n', game: 'op', write: 'arena' })
  t.equal(status, 200)
  t.match(html, /Read as Numbers with counts/)
  t.match(html, /href="\/product\/op-op01-016-en"/)
  t.match(html, 'no card is held')
  t.match(html, /<code>cards-arena\.txt<\/code>/)
})

t.test('a file is read, without its columns of prices, and comes before what is pasted', async t => {
  const file = new File(
    [
      'Quantity,Simple Name,Name,Set,Card Number,Set Code,Printing,Price\r\n3,Nami,Nami,Romance Dawn,OP01-016,OP01,Normal,111111.11\r\n'
    ],
    'mine.csv',
    { type: 'text/csv' }
  )
  const { status, html } = await post({ text: '', game: '', write: '', file })
  t.equal(status, 200)
  t.match(html, 'These columns were not read: Price.')
  t.match(html, /href="\/product\/op-op01-016-/)
  t.notMatch(html, '111111')
})

t.test('a file that is a table by its type is refused as such, as the surface refuses it', async t => {
  const content = 'Thing, Worth\nNami, mine alone'
  const file = new File([content], 'mine.csv', { type: 'text/csv' })
  const { status, html } = await post({ text: '', file })
  t.equal(status, 400)
  t.match(html, 'names no column of a card')
  t.notMatch(html, 'mine alone')
})

t.test('a list that is none is refused with the reason and the way back', async t => {
  for (const fields of [
    { text: '' },
    { text: 'owner,value,since\nme,3,2020' },
    { text: '4xOP01-016', game: 'no-game' }
  ]) {
    const { status, html } = await post(fields)
    t.equal(status, 400)
    t.match(html, 'The list was not read')
    t.match(html, /<a href="\/list">/)
  }
})
