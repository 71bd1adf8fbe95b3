// test: slow.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { parse, stringify } from 'yaml'
import type { JsonObject, JsonValue } from '../../../core/canonical/json.ts'
import { cut } from '../../../core/source/cut-json.ts'
import { asText } from '../../../surfaces/import/reading/expression.ts'
import { findFiles, type FoundFile } from '../../../surfaces/import/reading/files.ts'
import { importSource } from '../../../surfaces/importer.ts'
import type { SourceReader } from '../../../surfaces/import/source.ts'
import { tableRows } from '../../../surfaces/import/reading/table-rows.ts'
import { cardFolder, withoutCards } from '../../support/card-folder.ts'
import { testDatabase } from '../../support/database.ts'
import { foldersOf, inFiles, noneHeld } from '../../support/none-held.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { declaredSources } from './bundled-sources.ts'

const canary = `canary${randomBytes(6).toString('hex')}`
/** What is copied of each list of rows, and of each pattern's files. */
const mostRows = 60
const mostFiles = 20

/** Every name that a path of the declaration holds. */
const namesIn = (reader: SourceReader): Set<string> =>
  new Set(
    (function textsOf(value: unknown): string[] {
      return typeof value === 'string'
        ? value.split('.')
        : typeof value === 'object' && value !== null
          ? Object.values(value).flatMap(textsOf)
          : []
    })(reader)
  )

/**
 * The document with a canary for every field that the declaration does not name: prices, images, shop ids, links,
 * effect texts, whatever they are called.
 */
function poison(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).slice(0, mostRows).map(member => poison(member, names))
  if (value === null || typeof value !== 'object') return value
  const poisoned = Object.entries(value as JsonObject).map(([key, member]): [string, JsonValue] => {
    if (typeof member === 'object' && member !== null && !(Array.isArray(member) && typeof member[0] !== 'object'))
      return [key, poison(member, names)]
    // Short keys are languages and codes, which are their own meaning.
    return [key, names.has(key) || key.length < 3 ? member : `${canary} ${key}`]
  })
  const extra =
    poisoned.length === 0 || !poisoned.some(([key]) => names.has(key))
      ? []
      : ['price', 'image_url', 'tcgplayer_id', 'affiliate_link', 'effect_text'].map(key => [
          key,
          names.has(key) ? null : `${canary} ${key}`
        ])
  return Object.fromEntries([...extra, ...poisoned]) as JsonObject
}

async function poisonTable({ path, declared }: FoundFile, names: ReadonlySet<string>): Promise<string> {
  const delimiter = declared.delimiter === 'tab' ? '\t' : ','
  const quotes = declared.quotes ?? true
  const rows: JsonObject[] = []
  for await (const found of cut([readFileSync(path, 'utf8').replace(/^\ufeff/, '')], tableRows({ delimiter, quotes })))
    rows.push(...found.map(({ row }) => poison(row, names) as JsonObject))
  rows.splice(mostRows)
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const field = (text: string): string => (quotes ? `"${text.replaceAll('"', '""')}"` : text)
  return [columns, ...rows.map(row => columns.map(column => asText(row[column] ?? '')))]
    .map(fields => fields.map(field).join(delimiter))
    .join('\n')
}

async function poisonFolder(from: string, to: string, reader: SourceReader): Promise<void> {
  const names = namesIn(reader)
  const files = [
    ...reader.files,
    ...Object.values(reader.tables ?? {}).map(({ file }) => file),
    ...(reader.sets?.files ?? [])
  ]
  for (const found of (
    await Promise.all(files.map(async file => (await findFiles(from, file)).slice(0, mostFiles)))
  ).flat()) {
    const target = join(to, relative(from, found.path))
    mkdirSync(dirname(target), { recursive: true })
    const text = (): string => readFileSync(found.path, 'utf8').replace(/^\ufeff/, '')
    if (found.declared.shape === 'table') writeFileSync(target, await poisonTable(found, names))
    else if (found.declared.shape === 'yaml')
      writeFileSync(target, stringify(poison(parse(text()) as JsonValue, names)))
    else writeFileSync(target, JSON.stringify(poison(JSON.parse(text()) as JsonValue, names)))
  }
}

t.test(
  'nothing that a declaration does not name reaches the database or its files, of no source',
  { skip: withoutCards },
  async t => {
    const { database } = await testDatabase(t)
    const scratch = scratchFolder(t)
    for (const { id, reader, where } of declaredSources().values()) {
      if (where !== 'folder' || reader === undefined || !existsSync(join(cardFolder ?? '', id))) continue
      const to = join(scratch, id)
      await poisonFolder(join(cardFolder ?? '', id), to, reader)
      t.equal(spawnSync('grep', ['-rqF', canary, to]).status, 0, `${id} has canaries`)
      const { read, written } = await importSource(database, declaredSources().get(id)!, {
        folder: to,
        conditionsMet: true
      })
      t.ok(read > 0 && written > 0, `${id}: ${written} of ${read}`)
    }
    await noneHeld(t, database.bulk, [canary])
    t.equal(inFiles(await foldersOf(database.bulk), 'op-op'), true, 'the files do hold the cards')
  }
)
