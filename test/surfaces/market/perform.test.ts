import t from 'tap'
import { inTransaction } from '../../../surfaces/common/repository.ts'
import { hold } from '../../../surfaces/market/perform.ts'
import { marketStage } from './stage.ts'

const { store, member, live } = await marketStage(t)

t.test('an auction that ends while its beginning is written is held as an ended one', async t => {
  const id = await live(await member('seller'))
  const held = await inTransaction(store, async transaction => {
    const { knex } = transaction
    let locked = 0
    return await hold(
      {
        ...transaction,
        rows: async (schema, statement) => {
          // The end comes after what was due is written, before the auction is read again.
          const isLock = JSON.stringify(schema).includes('"clock"')
          if (isLock && ++locked === 2)
            await knex('auctions')
              .where({ id })
              .update({ ends_at: knex.raw('now()') })
          return await transaction.rows(schema, statement)
        }
      },
      id
    )
  })
  t.match(held, { isDue: false, row: { status: 'ended' } })
})
