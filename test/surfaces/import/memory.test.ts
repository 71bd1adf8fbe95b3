// test: long, alone. The memory of a process is measured.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { importSource } from '../../../surfaces/importer.ts'
import { permutedSource, writePermutedRows } from '../../bench/permuted-rows.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { declaredSources } from './bundled-sources.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const megabyte = 2 ** 20

t.test('what an import holds does not grow with the rows it has read', async t => {
  const { database } = await testDatabase(t)
  const folder = await writePermutedRows(scratchFolder(t), 20_000)
  const held: number[] = []
  const progress = ({ fraction }: { fraction: number }): void => {
    if (fraction >= 0.8) return
    collectGarbage()
    held.push(process.memoryUsage().heapUsed)
  }
  t.match(await importSource(database, permutedSource(declaredSources()), { folder, progress }), {
    read: 20_000,
    written: 20_000
  })
  const half = Math.floor(held.length / 2)
  // How many batches are under way differs from one moment to the next, so the middle of each half is compared.
  const [early, late] = [median(held.slice(1, half)), median(held.slice(half))]
  t.ok(held.length > 6, `${held.length} batches`)
  // The file has 13 MB; the mapped rows alone would take as much again.
  t.ok(late - early < 4 * megabyte, `${Math.round(early / megabyte)} MB, then ${Math.round(late / megabyte)} MB`)
})

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
