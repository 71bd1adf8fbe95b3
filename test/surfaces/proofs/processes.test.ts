// test: long. It starts two services over one database, and kills one.
import { join } from 'node:path'
import t from 'tap'
import { jsonReader } from '../../../surfaces/proofs/outside.ts'
import { verifyService } from '../../../surfaces/proofs/verify-service.ts'
import { testDatabase } from '../../support/database.ts'
import { someSeed } from '../../support/draws.ts'
import { startService } from '../../support/service.ts'

t.test(
  'two processes that draw at once make one chain, also when one of them is killed',
  { timeout: 120_000 },
  async t => {
    const { url } = await testDatabase(t)
    t.testdir({})
    const folder = join(t.testdirName, 'data')
    const start = async (): ReturnType<typeof startService> =>
      await startService(t, { args: [], env: { DATABASE_URL: url, PANTRY_DATA_DIR: folder } })
    const services = await Promise.all([start(), start()])
    const post = async (at: string, body: object): Promise<Record<string, string>> =>
      (
        (await (
          await fetch(at, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(body)
          })
        ).json()) as { data: Record<string, string> }
      ).data
    const many = async (service: string, count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1) {
        const { id = '' } = await post(`${service}/api/v1/draws`, { set: 'a1' })
        await post(`${service}/api/v1/draws/${id}/open`, { client_seed: someSeed() })
        await fetch(`${service}/api/verify/chain`)
      }
    }
    // Killed in the middle of whatever it does then.
    const killed = Promise.allSettled([many(services[0].url, 40), many(services[0].url, 40)])
    const going = Promise.all([many(services[1].url, 20), many(services[1].url, 20)])
    await many(services[1].url, 3)
    services[0].child.kill('SIGKILL')
    await going
    t.ok((await killed).every(({ status }) => status === 'rejected'))
    const verified = await verifyService(services[1].url, jsonReader(services[1].url))
    t.match(verified, { epochs: { length: 1 } })
    t.ok(verified.receipts >= 43, String(verified.receipts))
  }
)
