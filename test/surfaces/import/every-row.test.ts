// test: long. Every row of every declared source, counted.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseSku } from '../../../surfaces/cards/sku.ts'
import type { Mapped } from '../../../surfaces/import/reading/map-row.ts'
import { mappedRows } from '../../support/mapped-rows.ts'
import { cardFolder, withoutCards } from '../../support/card-folder.ts'
import { declaredSources } from './bundled-sources.ts'

/**
 * Rows of the sources whose counts are known, then those that do not get a SKU of their own: `twice` repeat a native
 * id, `taken` repeat the SKU of another row. Fewer than the collisions on upstream numbers alone where the upstream
 * tells its rows apart elsewhere: Digimon and Union Arena in an address, Gundam by its edition, Flesh and Blood by the
 * side of a card, SWCCG by the end of a title, Grand Archive by the end of a slug.
 */
const expected: Readonly<Record<string, readonly [rows: number, twice: number, taken: number]>> = {
  'apitcg-digimon': [1765, 3, 0],
  'apitcg-gundam': [383, 0, 0],
  'apitcg-union-arena': [541, 0, 0],
  'cardcaptors-tcg-data': [254, 0, 0],
  'conquest-cards-json': [188, 0, 1],
  'fab-cube': [13070, 0, 14],
  'fftcg-lackey': [3063, 0, 0],
  'fiveringsdb-data': [1140, 0, 0],
  'grandarchive-csv': [4318, 2159, 0],
  'keyforge-cards-json': [358, 0, 0],
  'lorcana-data': [11643, 6, 14],
  'netrunner-cards-json': [4487, 0, 0],
  'onr-cards-json': [580, 0, 0],
  'optcg-limitless': [1378, 0, 0],
  'pokemon-tcg-data': [2328, 0, 0],
  'ptcg-pocket': [2671, 0, 0],
  'punk-records': [9437, 1, 0],
  'swccg-card-json': [1858, 0, 4],
  'swu-json': [771, 0, 0],
  'tftcg-cards-json': [531, 0, 1],
  vtescsv: [9600, 0, 0],
  'weiss-schwarz-eng-db': [1558, 0, 0]
}

const sources = [...declaredSources().values()].filter(({ where }) => where === 'folder')
/** The identity that a SKU means: letters that differ only in case are one identity. */
const identityOf = ({ row }: Mapped, number: string): string =>
  JSON.stringify([row.game, row.set_code, number, row.lang, row.variant].map(part => part.toLowerCase()))

t.test('every source whose rows are counted here is declared', t => {
  const declared = sources.map(({ id }) => id)
  t.same(
    Object.keys(expected).filter(id => !declared.includes(id)),
    []
  )
  t.end()
})

t.test('rows', { skip: withoutCards }, async t => {
  let total = 0
  const identities = new Map<string, string>()
  for (const { id, reader, attributes, games, languages } of sources) {
    // A source may be declared before its files are in the folder of these tests.
    if (!existsSync(join(cardFolder ?? '', id))) {
      t.comment(`${id}: no files`)
      continue
    }
    const natives = new Set<string>()
    const skus = new Set<string>()
    const found: [number, number, number] = [0, 0, 0]
    for await (const mapped of mappedRows(reader!, join(cardFolder ?? '', id), {
      rules: { attributes, games, languages }
    })) {
      found[0]++
      if ('reason' in mapped) {
        t.fail(`${id}: ${mapped.nativeId} ${mapped.reason}`)
        continue
      }
      const { nativeId, sku, row, odd = [] } = mapped
      for (const { reason } of odd) t.fail(`${id}: ${nativeId} ${reason}`)
      const parsed = parseSku(sku)
      const identity = identityOf(mapped, parsed?.number ?? '')
      if ((identities.get(sku) ?? identity) !== identity)
        t.fail(`${sku} stands for ${identity} and ${identities.get(sku) ?? ''}`)
      identities.set(sku, identity)
      if (
        parsed?.set !== row.set_code.toLowerCase() ||
        parsed.lang !== row.lang ||
        parsed.variant !== row.variant.toLowerCase()
      )
        t.fail(`${id}: ${sku} does not read back`)
      if (!games.includes(row.game) || !languages.includes(row.lang))
        t.fail(`${id}: ${nativeId} is of another game or language`)
      if (/https?:|\.(?:png|webp|jpe?g|gif)|tcgplayer|cardmarket/i.test(JSON.stringify(row)))
        t.fail(`${id}: ${nativeId} carries a link, an image or a shop`)
      if (natives.has(nativeId)) found[1]++
      else if (skus.has(sku)) found[2]++
      else skus.add(sku)
      natives.add(nativeId)
    }
    if (expected[id] === undefined) {
      t.comment(`${id}: ${found.join(', ')}`)
      continue
    }
    t.same(found, expected[id], id)
    total += found[0]
  }
  t.equal(total, 71_922, 'are all there')
  t.equal(new Set(identities.values()).size, identities.size, 'and no identity has two SKUs')
})
