import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { Chain, OwnFiles } from '../../../surfaces/proofs/chain.ts'
import { jsonReader } from '../../../surfaces/proofs/outside.ts'
import { verifyService } from '../../../surfaces/proofs/verify-service.ts'
import { testDatabase } from '../../support/database.ts'
import { serveDraws } from '../../support/draws.ts'
import { program } from '../../support/program.ts'

t.test('a process that ends between a batch and its head is healed by the next one', async t => {
  const { url } = await testDatabase(t)
  const { ask, drawn, database, served } = await serveDraws(t, 10_000, url)
  const files = new OwnFiles(t.testdirName)
  await drawn(2)
  await ask('/api/verify/chain')
  await drawn(3)
  const child = spawn(process.execPath, [...program('test/surfaces/proofs/die-between'), url, t.testdirName], {
    stdio: 'inherit'
  })
  t.same(await once(child, 'exit'), [null, 'SIGKILL'])
  t.equal((await database.knex('proof_batches').select('batch')).length, 2, 'the batch is whole')
  t.match(await files.lastHead(), { head: { batch: 1 } }, 'and was not remembered')
  t.equal(await new Chain(database, files, { error: () => undefined }).halted(), undefined)
  t.match(await files.lastHead(), { head: { batch: 2, tree_size: 5 } }, 'whoever comes next remembers it')
  await drawn(1)
  t.match(await verifyService(served.url, jsonReader(served.url)), { receipts: 6, batches: 3 })
  // What the other one signed is lost, and this one knows of it.
  await database.knex('draws').where('batch', '>=', 2).delete()
  await database.knex('proof_nodes').whereRaw('(index + 1) * (1 << level) > 2').delete()
  await database.knex('proof_batches').where('batch', '>=', 2).delete()
  t.match(await ask('/api/verify/chain'), { data: { halted: /batch 3 of epoch 1/ } })
})

t.test('a row that is no signed head is not remembered', async t => {
  const { ask, drawn, database } = await serveDraws(t)
  await drawn(1)
  await ask('/api/verify/chain')
  const files = new OwnFiles(t.testdirName)
  const [row] = (await database.knex('proof_batches').select('*')) as Record<string, unknown>[]
  await database.knex('proof_batches').insert({ ...row, batch: 9, tree_size: 9, chain_hash: 'f'.repeat(64) })
  await ask('/api/verify/chain')
  t.match(await files.lastHead(), { head: { batch: 1 } })
})
