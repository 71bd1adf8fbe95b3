/**
 * A process with a wrong clock: `wrong-clock <database url> <milliseconds> <bidder> <live auction> <ended auction>
 * <Dutch auction>` bids, and prints what came of it.
 */
const [, , url = '', off = '0', bidder = '', live = '', over = '', dutch = ''] = process.argv
const RightDate = Date
globalThis.Date = class extends RightDate {
  constructor(...given: [] | [string | number | Date]) {
    super(...((given.length === 0 ? [RightDate.now() + Number(off)] : given) as [number]))
  }
  static override now(): number {
    return RightDate.now() + Number(off)
  }
} as DateConstructor

const [{ openDatabase }, { silent }, { placeBid }, { perform }, { MarketReads }, { Trust }, { pathTo }] =
  await Promise.all([
    import('../../../core/database/database.ts'),
    import('../../../core/database/connection.ts'),
    import('../../../surfaces/market/bidding.ts'),
    import('../../../surfaces/market/perform.ts'),
    import('../../../surfaces/market/reads.ts'),
    import('../../../surfaces/market/trust.ts'),
    import('../../support/path-to.ts')
  ])
const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
const store = { knex: database.bulk, rows: database.rows }
const reads = new MarketReads(store, new Trust(store), async () => true)
const outcome = async (id: string, amount: number): Promise<unknown> =>
  await perform(
    store,
    { person: bidder, isAdmin: false, route: 'test', key: undefined },
    id,
    { amount },
    placeBid
  ).then(
    ({ act, status, amount: paid }) => ({ act, status, paid }),
    (error: unknown) => {
      if (error instanceof Error && 'code' in error) return error.code
      throw error
    }
  )
const { time_remaining_ms: left, has_ended: hasEnded } = (await reads.blocks(live, pathTo)).timing
process.stdout.write(
  JSON.stringify({
    minutes: Math.round((left ?? 0) / 60_000),
    hasEnded,
    bid: await outcome(live, 1000),
    late: await outcome(over, 1000),
    bought: await outcome(dutch, 4000)
  })
)
await database.close()
