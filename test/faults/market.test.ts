// test: faults. Members bid over HTTP while the database is killed.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { scratchFolder } from '../support/scratch.ts'
import { startService } from '../support/service.ts'
import { Crowd, signedIn, wrongAnswers } from '../surfaces/market/crowd.ts'
import { faultsOf } from '../surfaces/market/model.ts'
import { servedMarket } from '../surfaces/market/stage.ts'

t.test(
  'a database that is killed while members bid loses no bid that was answered, and nobody is told anything but 200, 409 or 503',
  async t => {
    const { server, url, database, live, store } = await servedMarket(t)
    const [seller, ...members] = await signedIn(database, [
      'seller',
      ...Array.from({ length: 8 }, (_, place) => `bidder-${place}`)
    ])
    const service = await startService(t, {
      args: [],
      env: { DATABASE_URL: url, PANTRY_DATA_DIR: scratchFolder(t) },
      isLogRead: false
    })
    const id = await live(
      { person: seller?.person ?? '', isAdmin: false, route: 'test', key: undefined },
      { starting_price: 100, bid_increment: 1 }
    )
    const end = Date.parse(
      (await store.knex('auctions').where({ id }).select<{ ends_at: string }[]>('ends_at'))[0]?.ends_at ?? ''
    )
    const crowd = new Crowd()
    t.teardown(() => {
      crowd.close()
    })
    let [next, isOver] = [100, false]
    const bidding = members.map(async member => {
      while (!isOver) {
        const { status, details } = await crowd.ask(service.url, member, id, 'bids', { amount: (next += 1) })
        if (typeof details['min_next_bid'] === 'number') next = Math.max(next, details['min_next_bid'])
        if (status === 503) await sleep(50)
      }
    })
    for (let round = 0; round < 8; round += 1) {
      await sleep(300 + 137 * (round % 4))
      const [pid, before] = [server.pid(), crowd.answers.filter(({ status }) => status === 200).length]
      process.kill(pid, 'SIGKILL')
      await eventually(() => {
        if (server.pid() === pid) throw new Error('not started again')
      })
      await eventually(() => {
        if (crowd.answers.filter(({ status }) => status === 200).length <= before)
          throw new Error('nobody can bid again')
      }, 30)
    }
    isOver = true
    await Promise.all(bidding)
    const count = (wanted: number): number => crowd.answers.filter(({ status }) => status === wanted).length
    t.comment(
      `${crowd.answers.length} requests over 8 kills: ${count(200)} bids kept, ${count(409)} refused, ${count(503)} told to try again`
    )
    t.same(
      [...new Set(crowd.answers.map(({ status }) => status))].filter(status => ![200, 409, 503].includes(status)),
      [],
      'no other answer, and nobody without one'
    )
    t.same(await wrongAnswers(database, crowd.answers, [id]), [], 'each answer is what is stored')
    t.same(await faultsOf(store, id, end), [])
    t.ok(count(503) > 0, 'somebody was told to try again')
  }
)
