// test: slow. Reads every declared source whose files are here. UPDATE=1 writes the lines again, but not their hashes.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../../../bin/roots.ts'
import type { CardFacts } from '../../../surfaces/cards/card-fields.ts'
import { cardContentHash } from '../../../surfaces/cards/documents/card.ts'
import { factsIn } from '../../../surfaces/cards/facts-by-source.ts'
import { siblingsOf } from '../../../surfaces/cards/siblings.ts'
import type { Source } from '../../../surfaces/import/source.ts'
import { filesOf } from '../../support/card-folder.ts'
import { mappedRows } from '../../support/mapped-rows.ts'
import { declaredSources } from './bundled-sources.ts'

/**
 * A line for each source, before and after its facts on printings were kept. `facts`: what is kept of all rows, one for
 * each field and attribute. `others`: printings whose number has another one in their language. `told`: those of which
 * the source says in what they differ from it. `hashes`: SHA-256 of the lines `sku hash` at commit 41dc2a85, which was
 * before.
 */
type Line = Readonly<{
  printings: number
  facts: readonly [before: number, after: number]
  others: number
  told: readonly [before: number, after: number]
  faces: number
  proved: string
  hashes: string
}>

const path = join(packageFolder, 'test/surfaces/import/data/told-apart.yaml')
const lines = parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Line>>

/** The attributes that were added with the products of printings. */
const added = ['edition', 'finish', 'reprint_of', 'stamp', 'treatment']

const withoutAdded = (card: CardFacts): CardFacts => {
  const attributes = Object.entries(card.attributes ?? {}).filter(([name]) => !added.includes(name))
  return { ...card, attributes: Object.fromEntries(attributes), printed_in: null, faces: null }
}

/** Returns how many facts are kept; a product and the faces are one fact each. */
const factCount = (cards: readonly CardFacts[]): number =>
  cards.reduce((sum, card) => {
    const { printed_in: product, faces } = card
    const others = factsIn({ ...card, printed_in: null, faces: null }).filter(([, value]) => value !== null)
    return sum + others.length + [product, faces].filter(one => one !== null).length
  }, 0)

/** Returns how many printings differ in something that is known from the first printing of their number. */
const toldApart = (families: readonly (readonly CardFacts[])[]): number =>
  families.reduce((sum, family) => {
    const [first, ...others] = family
    return first === undefined
      ? sum
      : sum + siblingsOf(first, others).filter(({ differsIn }) => !differsIn.includes('unknown')).length
  }, 0)

async function read({ reader, games, languages, attributes }: Source, folder: string) {
  const cards = new Map<string, CardFacts>()
  for await (const mapped of mappedRows(reader!, folder, { rules: { games, languages, attributes } })) {
    if ('reason' in mapped || cards.has(mapped.sku)) continue
    cards.set(mapped.sku, { ...mapped.row, sku: mapped.sku, sources: [] })
  }
  const all = [...cards.values()]
  const families = new Map<string, CardFacts[]>()
  for (const card of all.toSorted((a, b) => (a.sku < b.sku ? -1 : 1))) {
    const key = [card.set_code, card.card_number, card.lang].join(' ')
    families.set(key, [...(families.get(key) ?? []), card])
  }
  const many = [...families.values()].filter(family => family.length > 1)
  const before = many.map(family => family.map(withoutAdded))
  return {
    printings: all.length,
    facts: [factCount(all.map(withoutAdded)), factCount(all)] as const,
    others: many.reduce((sum, family) => sum + family.length - 1, 0),
    told: [toldApart(before), toldApart(many)] as const,
    faces: all.filter(({ faces }) => faces !== null).length,
    hashes: createHash('sha256')
      .update(
        all
          .map(card => `${card.sku} ${cardContentHash(card)}`)
          .sort()
          .join('\n')
      )
      .digest('hex')
  }
}

const flow = (line: Line): string =>
  `{ printings: ${line.printings}, facts: [${line.facts.join(', ')}], others: ${line.others}, told: [${line.told.join(', ')}], ` +
  `faces: ${line.faces}, proved: ${line.proved},\n    hashes: ${line.hashes} }`

t.test('each source has its line, and no content hash of its cards is another than before', async t => {
  const now = new Map<string, Line>()
  for (const [id, source] of declaredSources()) {
    if (source.reader === undefined) continue
    const line = lines[id]
    t.ok(line, id)
    const folder = filesOf(source)
    if (!existsSync(folder)) {
      t.comment(`${id}: no files`)
      if (line !== undefined) now.set(id, line)
      continue
    }
    const found = await read(source, folder)
    t.equal(found.hashes, line?.hashes, `${id}: hashes`)
    now.set(id, { ...found, proved: line?.proved ?? 'unknown', hashes: line?.hashes ?? found.hashes })
    if (process.env['UPDATE'] !== '1') t.same({ ...line, ...found }, line, id)
  }
  t.same([...now.keys()].sort(), Object.keys(lines).sort())
  if (process.env['UPDATE'] === '1')
    writeFileSync(
      path,
      `# See told-apart.test.ts; every-source.test.ts checks what is proved.\n${[...now]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, line]) => `${id}:\n  ${flow(line)}\n`)
        .join('')}`
    )
})
