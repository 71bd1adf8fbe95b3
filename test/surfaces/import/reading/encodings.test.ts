import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { JsonValue } from '../../../../core/canonical/json.ts'
import { readMembers } from '../../../../surfaces/import/reading/shapes.ts'
import type { FileOfSource } from '../../../../surfaces/import/source.ts'
import { scratchFolder } from '../../../support/scratch.ts'

async function read(t: Test, bytes: Buffer, declared: Omit<FileOfSource, 'path'>): Promise<readonly JsonValue[]> {
  const path = join(scratchFolder(t), 'cards')
  writeFileSync(path, bytes)
  const values: JsonValue[] = []
  for await (const { members } of readMembers({ path, declared: { path: 'cards', ...declared }, file: {} }))
    values.push(...members.map(({ value }) => value))
  return values
}

const name = 'Œuvre – “Träume” €'
const table = `name;number\n${name};1\n`
const json = JSON.stringify([{ name, number: '1' }])
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
const windows = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, sign => ({ Œ: 0x8c, '–': 0x96, '“': 0x93, '”': 0x94, '€': 0x80 })[sign] ?? sign.charCodeAt(0))
  )

t.test('a text is read in UTF-8, in UTF-16 of both orders, and in Windows-1252', async t => {
  for (const [text, declared] of [
    [table, { shape: 'table', delimiter: 'semicolon' }],
    [json, { shape: 'json' }],
    [json, { shape: 'yaml' }]
  ] as const) {
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16(text), utf16(text).swap16()])
      t.same(await read(t, bytes, declared), [{ name, number: '1' }])
    t.same(await read(t, windows(text), { ...declared, encoding: 'windows-1252' }), [{ name, number: '1' }])
    await t.rejects(read(t, windows(text), declared), /UTF-8|encoded data/)
  }
})

t.test('a text of UTF-16 that ends within a character is told', async t => {
  await t.rejects(read(t, utf16(table).subarray(0, -1), { shape: 'table', delimiter: 'semicolon' }), /encoded data/)
})

t.test('a text of many pieces keeps the characters that lie between two of them', async t => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `𝄞${'é'.repeat(index % 7)};${index}`)
  t.same(
    (await read(t, utf16(`name;number\n${rows.join('\n')}`), { shape: 'table', delimiter: 'semicolon' })).map(row =>
      Object.values(row as object).join(';')
    ),
    rows
  )
})
