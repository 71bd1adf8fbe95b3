import { Count, Moment, nullable, reply, Text, Texts, Type } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { adviceOf, catalogSize, kilobytes, pace } from '../../sources/budget.ts'

const Headers = Type.Record(Text, Text)
const CrawlShape = Type.Object({
  description: Text,
  endpoints_required: Texts,
  rate_pattern: Text,
  cacheable_for_seconds: Count
})

export default defineHandler({
  reply: Type.Object({
    '@kind': Type.Literal('budget'),
    for: Text,
    catalog_size: Type.Object({
      cards_estimated: Count,
      games_active: Count,
      sets_per_game_avg: Count,
      sets_total: Count,
      sources_active: Count,
      oracle_groups_estimated: Count,
      as_of: nullable(Moment),
      precision: Text,
      freshness_note: Text
    }),
    recommended_pace: Type.Record(
      Text,
      Type.Object({
        requests_per_minute: Type.Union([Type.Integer(), Type.Literal('tier-dependent')]),
        per: Text,
        enforcement: Type.Enum(['advisory', 'enforced']),
        note: Text
      })
    ),
    crawl_shapes: Type.Object({
      full_mirror: Type.Object({
        available: Type.Literal(false),
        description: Text,
        endpoints_required: Texts,
        total_requests_estimated: Count,
        cacheable_for_seconds: Count,
        bulk_alternative: Text,
        incremental_alternative: Text
      }),
      watchlist: Type.Object({
        description: Text,
        endpoints_required: Texts,
        polling_interval_floor_seconds: Count,
        polling_interval_recommended_seconds: Count,
        bandwidth_per_poll_kb: Type.Number(),
        rationale: Text
      }),
      federation: CrawlShape,
      spec_consumer: CrawlShape
    }),
    freshness_budgets: Type.Array(Type.Object({ key: Text, seconds: Type.Integer(), example_endpoint_classes: Texts })),
    peak_hours_utc: Type.Object({ known: Type.Literal(false), note: Text }),
    bandwidth_floors_kb_per_response: Type.Object({ math_mirror_card_typical: Type.Number(), note: Text }),
    headers_to_send: Headers,
    headers_to_watch_in_responses: Headers,
    if_a_crawl_will_take_longer_than_an_hour: Texts,
    feedback: Type.Object({
      endpoint: Text,
      kinds_relevant_here: Texts,
      response_window_hours: Type.Integer(),
      contact_email: Text
    }),
    walking_past_is_honored: Type.Literal(true),
    no_tracking: Text
  }),
  version: ({ kept }) => kept.version(),
  async handle({ service, pathTo }, { holdings }) {
    const held = await holdings()
    const advice = adviceOf(pathTo)
    const card = kilobytes(held.document_bytes)
    return reply(
      {
        '@kind': 'budget',
        for: 'Programs that will read more than a few documents, and the people who write them.',
        catalog_size: catalogSize(held),
        recommended_pace: pace(service),
        crawl_shapes: { ...advice.crawlShapes, watchlist: { ...advice.watchlist, bandwidth_per_poll_kb: card } },
        freshness_budgets: Object.entries(service.freshness).map(([key, { seconds, meaning }]) => ({
          key,
          seconds,
          example_endpoint_classes: [meaning]
        })),
        peak_hours_utc: {
          known: false,
          note: 'None is published. The pace that is asked for is the same at all hours.'
        },
        bandwidth_floors_kb_per_response: {
          math_mirror_card_typical: card,
          note: 'The mean of stored documents, before compression. With gzip an answer is about a third of its length.'
        },
        headers_to_send: advice.headersToSend,
        headers_to_watch_in_responses: advice.headersToWatch,
        if_a_crawl_will_take_longer_than_an_hour: advice.longCrawls,
        feedback: {
          endpoint: pathTo('hospitality/feedback'),
          kinds_relevant_here: ['contract-drift', 'endpoint-suggestion', 'federation-adopter', 'general'],
          response_window_hours: service.contact.response_hours,
          contact_email: service.contact.email
        },
        walking_past_is_honored: true,
        no_tracking: 'Reading this changes nothing for you, and nothing is remembered of your having read it.'
      },
      held.as_of === null ? {} : { asOf: held.as_of }
    )
  }
})
