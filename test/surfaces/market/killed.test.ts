import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { applyAllDue } from '../../../surfaces/market/due.ts'
import { program } from '../../support/program.ts'
import { faultsOf } from './model.ts'
import { marketStage, readAuction } from './stage.ts'

const { store, url, member, live } = await marketStage(t)
const seller = await member('seller')
const crowd = await Promise.all(Array.from({ length: 12 }, async (_, place) => await member(`bidder-${place}`)))

t.test(
  'processes that are killed while they bid leave whole bids or none, and the auction ends as ever',
  { timeout: 60_000 },
  async t => {
    for (const after of [5, 20, 60]) {
      const id = await live(seller, { starting_price: 100, bid_increment: 1 })
      const firstEnd = Date.parse((await readAuction(store, id))?.ends_at ?? '')
      const children = [0, 6].map(from =>
        spawn(
          process.execPath,
          [
            ...program('test/surfaces/market/bid-on'),
            url,
            id,
            ...crowd.slice(from, from + 6).map(({ person }) => person)
          ],
          { stdio: ['ignore', 'pipe', 'inherit'] }
        )
      )
      await Promise.all(
        children.map(async child => {
          let bids = 0
          for await (const chunk of child.stdout) {
            bids += String(chunk).length
            if (bids >= after) child.kill('SIGKILL')
          }
          if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        })
      )
      t.same(
        children.map(child => child.signalCode),
        ['SIGKILL', 'SIGKILL']
      )
      t.same(await faultsOf(store, id, firstEnd), [])
      t.ok(((await readAuction(store, id))?.bid_count ?? 0) >= after)
      await store
        .knex('auctions')
        .where({ id })
        .update({ ends_at: store.knex.raw("date_trunc('milliseconds', clock_timestamp())") })
      await applyAllDue(store)
      t.match(await readAuction(store, id), { status: 'ended', winner: String })
    }
  }
)
