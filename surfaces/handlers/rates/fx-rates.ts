import { Moment, nullable, reply, Text, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { centralBank } from '../../sources/exchange-rates.ts'

const bank = {
  url: centralBank.url,
  license:
    'The bank allows the free use of its statistics when it is named as their source. That is its policy, not a license of ours.',
  policy_url: centralBank.policyUrl,
  cadence: 'Each working day of the European payment system, in the afternoon.',
  position: 'source'
}

/** Returns exchange rates for display, in units of a currency per pound, derived from the euro reference rates. */
export default defineHandler({
  reply: Type.Object({
    '@kind': Type.Literal('fx_rate_table'),
    base: Type.Literal('GBP'),
    source: Type.Enum(['ecb.europa.eu', 'fallback']),
    is_fallback: Type.Boolean(),
    as_of: Moment,
    fetched_at: nullable(Moment),
    currencies: Type.Array(
      Type.Object({
        code: Text,
        name: Text,
        symbol: Text,
        locale: Text,
        decimals: Type.Integer(),
        rate_per_base: Type.Number(),
        base_per_unit: Type.Number()
      })
    ),
    upstream_sources: Type.Array(
      Type.Object({ url: Text, license: Text, policy_url: Text, cadence: Text, position: Text })
    ),
    attribution: Type.Object({ text: Text, url: nullable(Text, 'Null for figures that nobody publishes any more.') }),
    transformation: Text,
    methodology: Text,
    methodology_url: nullable(Text, 'How the bank makes its rates; null for figures that are not its own.')
  }),
  async handle(_, { rates }) {
    const { asOf, fetchedAt, perPound } = await rates.table()
    const isFallback = fetchedAt === null
    return reply(
      {
        '@kind': 'fx_rate_table',
        base: 'GBP',
        source: isFallback ? 'fallback' : 'ecb.europa.eu',
        is_fallback: isFallback,
        as_of: asOf,
        fetched_at: fetchedAt,
        currencies: rates.currencies.map(({ code, name, symbol, locale, decimals }) => {
          const rate = perPound.get(code) ?? 1
          const inverse = Number((1 / rate).toFixed(12))
          return { code, name, symbol, locale, decimals, rate_per_base: rate, base_per_unit: inverse }
        }),
        upstream_sources: isFallback ? [] : [bank],
        attribution: isFallback
          ? {
              text: 'Rounded market figures of one day, noted by this service. They are not those of a bank.',
              url: null
            }
          : {
              text: 'Euro foreign exchange reference rates of the European Central Bank; cross rates for the pound computed here.',
              url: centralBank.pageUrl
            },
        transformation: 'Units per euro of the currency, divided by pounds per euro, rounded to 12 decimals.',
        methodology: isFallback
          ? 'The bank could not be read, and no earlier table is held. These are the rounded figures of one day, kept for a rough idea. `as_of` is their day.'
          : 'The rates of the day `as_of`, kept for six hours. When the bank cannot be read then, this table stays and keeps its day.',
        methodology_url: isFallback ? null : centralBank.pageUrl
      },
      {
        asOf,
        sources: [isFallback ? 'fallback-rates' : 'ecb-reference-rates'],
        sourceLicense: ['proprietary'],
        // Caches may keep the fallback for a shorter time than real rates.
        ...(isFallback ? { headers: { 'Cache-Control': 'public, max-age=300' } } : {})
      }
    )
  }
})
