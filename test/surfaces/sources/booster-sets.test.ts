// test: slow.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { canonicalCode } from '../../../surfaces/cards/sku.ts'
import type { BoosterGame } from '../../../surfaces/sources/pull-rates.ts'
import { cardFolder, withoutCards } from '../../support/card-folder.ts'
import { mappedRows } from '../../support/mapped-rows.ts'
import { registryOf } from '../../support/registry.ts'
import { declaredSources } from '../import/bundled-sources.ts'

t.test('a booster that names its sets names them as the sources of its game do', { skip: withoutCards }, async t => {
  const { registry } = await registryOf()
  const sources = [...declaredSources().values()].filter(
    ({ id, reader }) => reader !== undefined && existsSync(join(cardFolder ?? '', id))
  )
  for (const { game, products } of registry.corpora.get('pulls')?.entries as unknown as readonly BoosterGame[]) {
    const unseen = new Set(products.flatMap(({ sets = [] }) => sets))
    const read = sources.filter(({ games }) => games.includes(game))
    if (unseen.size === 0 || read.length === 0) continue
    for (const { id, reader, attributes } of read) {
      for await (const mapped of mappedRows(reader!, join(cardFolder ?? '', id), { rules: { attributes } }))
        if ('row' in mapped) unseen.delete(canonicalCode(mapped.row.set_code))
    }
    t.same([...unseen], [], game)
  }
})
