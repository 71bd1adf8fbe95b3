/**
 * A process that bids: `bid-on <database url> <auction> <person>…` bids with many at once, each time a little more,
 * until it is killed.
 */
import { silent } from '../../../core/database/connection.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { placeBid } from '../../../surfaces/market/bidding.ts'
import { perform } from '../../../surfaces/market/perform.ts'

const [url = '', id = '', ...people] = process.argv.slice(2)
const { bulk, rows } = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
await Promise.all(
  people.map(async (person, place) => {
    for (let amount = 100 + place; amount < 5000; amount += 7) {
      await perform(
        { knex: bulk, rows },
        { person, isAdmin: false, route: 'test', key: undefined },
        id,
        { amount },
        placeBid
      ).then(
        () => process.stdout.write('.'),
        () => undefined
      )
    }
  })
)
