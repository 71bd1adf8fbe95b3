import { Count, Moment, nullable, NullableText, reply, Text, Texts, Type } from 'pantry/handler'
import { fromAllOf, fromSources, paths } from '../cards/documents/parts.ts'
import { Ratio } from '../cards/numbers.ts'
import { GameToken } from '../cards/parameters.ts'
import { canonicalCode } from '../cards/sku.ts'
import { defineHandler } from '../define.ts'
import { maxArtists, maxWorks } from '../sources/artists.ts'
import { adviceOf, catalogSize, kilobytes, pace } from '../sources/budget.ts'
import { countRecords, dataCatalog, Dataset, datasetEntry } from '../sources/datasets.ts'
import { Booster, BoosterGame, pullsDocument, ratesOf } from '../sources/pull-rates.ts'

export const artists = defineHandler({
  query: Type.Object({
    game: Type.Optional(GameToken),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 120,
        description: 'Name of the artist as a source writes it, in any letter case.'
      })
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxArtists, default: 24, description: 'At most this many artists.' })
    )
  }),
  entries: { in: 'hands', key: 'name' },
  reply: Type.Object({
    '@kind': Type.Literal('illustrator_credits'),
    provenance_note: Text,
    filters_applied: Type.Object({ game: NullableText, name: NullableText, limit: Type.Integer() }),
    totals: Type.Object({ hands: Type.Integer(), credited_works: Type.Integer() }),
    returned: Type.Integer(),
    hands: Type.Array(
      Type.Object({
        name: Text,
        games: Texts,
        credited_works: Type.Integer(),
        works_shown: Type.Integer(),
        works: Type.Array(
          Type.Object({
            sku: Text,
            name: NullableText,
            game: Text,
            set_code: Text,
            printed_code: Text,
            card_number: Text,
            lang: Text,
            universal: Text
          })
        )
      })
    ),
    image_policy: Text
  }),
  version: ({ kept }) => kept.version(),
  async handle({ query }, { catalogue, credits }) {
    const { game = null, name = null, limit = 24 } = query
    const { artists, totals } = await credits.find({ game: game?.toLowerCase(), name: name?.toLowerCase(), limit })
    const works = artists.flatMap(({ shown }) => shown.map(({ sku }) => sku))
    return reply(
      {
        '@kind': 'illustrator_credits',
        provenance_note:
          'Names are written as in the sources. One hand may appear under two spellings; nobody has been merged by guesswork. Most credited first. A work is a number of a set: its languages and finishes count once, and the first SKU stands for all.',
        filters_applied: { game, name, limit },
        totals: { hands: totals.artists, credited_works: totals.credits },
        returned: artists.length,
        hands: artists.map(({ name, games, works, shown }) => ({
          name,
          games,
          credited_works: works,
          works_shown: shown.length,
          works: shown.map(({ set_code: code, ...work }) => ({
            ...work,
            set_code: canonicalCode(code),
            printed_code: code,
            universal: paths.card(work.sku)
          }))
        })),
        image_policy: `No picture is shown or kept. Up to ${maxWorks} works are listed beside each name; a credited work is one card, so each printing counts.`
      },
      fromAllOf(await catalogue.cardsInBrief(works))
    )
  }
})

const Headers = Type.Record(Text, Text)
const CrawlShape = Type.Object({
  description: Text,
  endpoints_required: Texts,
  rate_pattern: Text,
  cacheable_for_seconds: Count
})

export const budget = defineHandler({
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

/** The schema of an entry that is only counted. */
const Counted = Type.Object({})

export const datasets = defineHandler({
  corpora: { datasets: Dataset, sources: Counted, gaps: Counted, changelog: Counted },
  entries: { in: 'datasets', key: 'id' },
  reply: Type.Object({
    '@kind': Type.Literal('dataset-catalog'),
    catalog: Text,
    count: Count,
    available_count: Count,
    paused_count: Count,
    datasets: Type.Array(
      Type.Object({
        id: Text,
        name: Text,
        description: Text,
        license: Type.Enum(['CC0-1.0', 'NOASSERTION']),
        tier: Text,
        availability: Type.Enum(['available', 'paused']),
        records_published: Type.Boolean(),
        record_count: nullable(
          Count,
          'How many records are kept; null when none are, or when the surface counts them itself.'
        ),
        source_rights: Type.Array(Type.Object({ source: Text, license: Text, note: Type.Optional(Text) })),
        temporal_coverage: Type.Null(),
        variable_measured: Texts,
        keywords: Texts,
        freshness_note: Text,
        methodology: Text,
        distributions: Type.Array(
          Type.Object({ kind: Type.Enum(['api', 'status']), url: Text, encoding_format: Text, label: Text })
        )
      })
    ),
    discovery: Type.Object({ jsonld: Text, methodology: Text })
  }),
  version: ({ kept }) => kept.version(),
  async handle({ service, corpora, path, pathTo }, { holdings }) {
    const held = await holdings()
    const { entries } = corpora.datasets
    const available = entries.filter(({ availability }) => availability === 'available')
    return reply(
      {
        '@kind': 'dataset-catalog',
        catalog: `Bodies of data that ${service.name} keeps or computes, with their rights. This is a list of them, not the data.`,
        count: entries.length,
        available_count: available.length,
        paused_count: entries.length - available.length,
        datasets: entries.map(dataset => datasetEntry(dataset, countRecords(dataset, held, corpora), service)),
        discovery: { jsonld: `${path}?format=jsonld`, methodology: pathTo('kind', { kind: 'methodology' }) }
      },
      { renderings: { jsonld: () => dataCatalog(available, service, path) } }
    )
  }
})

const Share = {
  ratio_in_pulls: nullable(Ratio),
  decimal_probability: nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'Of a card in a booster of the set to have this rarity.' })
  )
}
const Product = Type.Object({
  ...Booster.properties,
  rates: Type.Array(Type.Object({ ...Booster.properties.rates.items.properties, ...Share }))
})
const Chances = Type.Record(Text, Type.Number({ minimum: 0, maximum: 100 }))

/** Documents by the entries that they are made of: each reads a file of rates. */
const pullsDocuments = new WeakMap<object, ReturnType<typeof pullsDocument>>()

export const pulls = defineHandler({
  corpora: { pulls: BoosterGame },
  query: Type.Object({ game: Type.Optional(GameToken) }),
  reply: Type.Object({
    '@kind': Type.Literal('pulls_snapshot'),
    provenance_note: Text,
    staleness_note: Text,
    reading_note: Text,
    filters_applied: Type.Object({ game: NullableText }),
    games_with_rates: Type.Integer({
      description: 'Games of the whole snapshot for which a ratio is stated; all others have a `reason`.'
    }),
    games: Type.Array(
      Type.Object({
        slug: Text,
        display_name: Text,
        game: Text,
        products: Type.Array(Product),
        counted_together: Type.Array(Texts, { description: 'Rarities that the rates of the source count as one.' }),
        rates_source: nullable(
          Type.Object({
            id: Text,
            name: Text,
            url: NullableText,
            version: NullableText,
            license_statement: Text,
            rights: Type.Literal('NOASSERTION')
          })
        ),
        rates: nullable(
          Type.Object({
            rarities: Type.Record(Text, Text, { description: 'Names of the rarity codes.' }),
            sets: Type.Array(
              Type.Object({
                set_code: Text,
                printed_code: Text,
                packs: Type.Array(
                  Type.Object({
                    name: Text,
                    share_percent: Type.Number({
                      minimum: 0,
                      maximum: 100,
                      description: 'How often an opened pack is of this kind.'
                    }),
                    cards: Type.Integer(),
                    slots: Type.Array(Type.Object({ slot: Text, chances_percent: Chances }))
                  })
                ),
                shares: Type.Array(Type.Object({ rarity: Text, ...Share }))
              })
            )
          })
        ),
        reason: NullableText
      })
    ),
    _links: Type.Object({ canonical: Text, sources: Text, games: Text })
  }),
  handle({ query, corpora, pathTo }, { games, sources }) {
    const wanted = query.game === undefined ? undefined : games.named(query.game).token
    const { entries } = corpora.pulls
    const whole =
      pullsDocuments.get(entries) ??
      pullsDocument(
        { boosters: entries, games: new Map(games.all.map(game => [game.token, game])), sources, ratesOf },
        pathTo
      )
    pullsDocuments.set(entries, whole)
    const shown = whole.games.filter(({ game }) => wanted === undefined || game === wanted)
    return reply(
      { ...whole, filters_applied: { game: wanted ?? null }, games: shown },
      fromSources(['reports', ...shown.flatMap(({ rates_source: source }) => source?.id ?? [])])
    )
  }
})
