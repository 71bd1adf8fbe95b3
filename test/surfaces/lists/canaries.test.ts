// test: slow. It asks several hundred lists.
import { randomBytes, randomInt } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { silent } from '../../../core/database/connection.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { createLog } from '../../../core/http/log.ts'
import { accessLog, createSurfaceServer, SurfaceApp } from '../../../core/http/server.ts'
import { formIds, tableForms, type TableForm } from '../../../surfaces/lists/forms.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { noneHeld } from '../../support/none-held.ts'
import { generationOf } from '../../support/serve-root.ts'

const { url: databaseUrl } = await bundledDatabase(t)
const written: string[] = []
const faults: unknown[] = []
const log = createLog('debug', {
  isTTY: false,
  writableLength: 0,
  write: line => {
    written.push(String(line))
    return true
  }
})
const observe = accessLog(log)
const server = createSurfaceServer(
  new SurfaceApp({
    generation: await generationOf(t, ['.'], { databaseUrl, faults }),
    ...(observe === undefined ? {} : { observers: [observe] })
  })
)
await new Promise<void>(resolve => {
  server.listen(0, '127.0.0.1', resolve)
})
t.teardown(() => {
  server.closeAllConnections()
  server.close()
})
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const mark = `canary${randomBytes(6).toString('hex')}`
const amount = `${randomInt(1_000_000, 9_999_999)}.93`
const [whole = ''] = amount.split('.')
const comma = amount.replace('.', ',')

/** Columns that no form reads, with what stands in them. */
const withheld: readonly (readonly [head: string, cell: string])[] = [
  ['Price', amount],
  ['My Price', `$${amount}`],
  ['Preis', `"${comma} €"`],
  ['Value', whole],
  ['Picture', `https://img.example/${mark}.png`],
  ['Notes', `"for ${mark}, not for ""me"""`],
  ['Tags', mark]
]
const cells: Readonly<Record<string, string>> = { count: '2', name: 'Nami', set: 'OP01', number: 'OP01-016' }

const row = (all: readonly string[]): string => all.join(',')
const headsOf = ({ columns }: TableForm): string => row([...columns, ...withheld].map(([head]) => head))
const rowOf = ({ columns }: TableForm, more: Readonly<Record<string, string>> = {}): string =>
  row([...columns.map(([, field]) => ({ ...cells, ...more })[field] ?? ''), ...withheld.map(([, cell]) => cell)])

type Answer = Readonly<{ sent: string; status: number; text: string }>
const answers: Answer[] = []

async function post(path: string, body: FormData | string, sent: string): Promise<void> {
  const headers = typeof body === 'string' ? { headers: { 'Content-Type': 'application/json' } } : {}
  const response = await fetch(origin + path, { method: 'POST', body, ...headers })
  answers.push({ sent, status: response.status, text: await response.text() })
}

const fileTypes = ['text/csv', 'text/plain']
const formWith = (fields: Readonly<Record<string, string | Blob>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** Sends a list in every way that it can come in. */
async function everyWay(list: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const sent = `${list.slice(0, 200)} ${JSON.stringify(more)}`
  await post('/api/v1/cards/list', JSON.stringify({ text: list, ...more }), sent)
  await post('/list', formWith({ text: list, ...more }), sent)
  for (const type of fileTypes) {
    const file = new File([list], `${mark}.csv`, { type })
    await post('/api/v1/cards/list', formWith({ file, ...more }), `${type} ${sent}`)
    await post('/list', formWith({ text: '', file, ...more }), `${type} ${sent}`)
  }
}

t.test('what stands in columns of prices, pictures and notes is nowhere, whatever becomes of the list', async t => {
  const known: readonly TableForm[] = tableForms
  for (const form of known) {
    const list = `${headsOf(form)}\n${rowOf(form)}`
    for (const write of formIds)
      await post('/api/v1/cards/list', JSON.stringify({ text: list, write }), `${form.id} ${write}`)
    await everyWay(list, { write: form.id })
    t.match(answers.at(-1), { status: 200 }, form.id)
    // Rows without a card, with no such count, and with a price where the card is named.
    const odd = [
      rowOf(form, { name: '', number: '', sku: '' }),
      rowOf(form, { count: amount }),
      rowOf(form, { name: amount, number: '' }),
      rowOf(form, { name: `Nami $${amount}`, number: '' }),
      rowOf(form, { name: `https://img.example/${mark}.png`, set_name: amount, finish: amount })
    ].join('\n')
    // Two that cannot be read.
    for (const other of [odd, `${rowOf(form)},${amount},"${mark}"x`, `${rowOf(form)}"`])
      await everyWay(`${list}\n${other}`)
  }
  const [form = known[0]!] = known.filter(({ id }) => id === 'deckbox')
  const list = `${headsOf(form)}\n${rowOf(form)}`
  for (const more of [{ write: 'excel' }, { game: 'solitaire' }, { lang: '!' }]) await everyWay(list, more)
  await everyWay(`${list}${`\n${rowOf(form)}`.repeat(500)}`)
  await everyWay(`${list}${' '.repeat(100_000)}`)
  // Tables that nobody knows.
  for (const unknown of [
    `Owner,Thing,Price,Notes\nme,it,${amount},${mark}`,
    `Card,Price\nNami,${amount}`,
    `Name;Preis\nNami;${comma}`,
    `Thing,Price\nNami,${amount}`,
    `Thing\tPrice\nNami\t${whole}`,
    `Thing,${mark}\nNami,${whole}`,
    `Thing, Worth\nNami, ${whole}`,
    `Nami,${amount}`,
    `Nami;${mark}`,
    `OP01-016,${whole}`,
    `2,Nami,${whole},${mark}`,
    `4 Nami (OP01) ${amount}`,
    `4 Nami (${amount})`,
    `4 Nami (OP01) OP01-016 ${amount}`,
    `1 Nami $${whole}`,
    `1 Nami ${amount} EUR`,
    `1 Nami https://img.example/${mark}.png`,
    `0 Nami ${amount}`,
    `1 ${'a'.repeat(200)} ${amount}`,
    `Number,${amount},${amount.repeat(20)}\nOP01-016,${mark},x`
  ])
    await everyWay(unknown)
  for (const { sent, status, text } of answers) {
    t.ok([200, 400, 413].includes(status), `${status}: ${sent}`)
    for (const canary of [mark, whole])
      if (text.includes(canary)) t.fail(`${canary} for ${sent}: ${text.slice(0, 900)}`)
  }
  t.ok(answers.filter(({ status }) => status === 200).length > 200)
  t.ok(answers.filter(({ status }) => status !== 200).length > 100)
  t.same(faults, [])
  t.ok(written.length >= answers.length, 'each request is a line of the log')
  t.notMatch(written.join('\n'), new RegExp(`${mark}|${whole}`))
  const database = await openDatabase({ url: databaseUrl, dataDir: '', log: silent, isPatient: true })
  try {
    await noneHeld(t, database.bulk, [mark, whole])
  } finally {
    await database.close()
  }
})
