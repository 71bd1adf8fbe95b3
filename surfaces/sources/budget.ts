import type { PathTo, Service } from 'pantry/data'
import type { Holdings } from '../cards/open.ts'

/** Converts bytes to kilobytes (KiB) with one decimal. */
export const kilobytes = (bytes: number): number => Math.round(bytes / 102.4) / 10

export function catalogSize(held: Holdings) {
  return {
    cards_estimated: held.cards,
    games_active: held.games,
    sets_per_game_avg: held.games === 0 ? 0 : Math.round(held.sets / held.games),
    sets_total: held.sets,
    sources_active: held.sources,
    oracle_groups_estimated: held.numbers,
    as_of: held.as_of,
    precision: 'Counted, not estimated. An oracle group is a set and a number: its languages and variants count once.',
    freshness_note: 'The counts are those of the last import that succeeded, at `as_of`.'
  }
}

export function pace({ rate_policy: policy }: Service) {
  return Object.fromEntries(
    policy.classes.map(({ caller, requests_per_minute: requests, counted_by: per, enforced, note }) => [
      caller === 'public' ? 'unauth' : caller,
      {
        requests_per_minute: requests ?? ('tier-dependent' as const),
        per,
        enforcement: enforced ? ('enforced' as const) : ('advisory' as const),
        note
      }
    ])
  )
}

/** The part of the crawl budget that does not depend on counts. */
export const adviceOf = (pathTo: PathTo) => ({
  crawlShapes: {
    full_mirror: {
      available: false as const,
      description: 'A whole copy cannot be had: bulk publication is paused until rights are recorded field by field.',
      endpoints_required: [pathTo('data/catalog')],
      total_requests_estimated: 1,
      cacheable_for_seconds: 900,
      bulk_alternative:
        'None today. Ask the status line of the bulk catalogue now and then; it will say when that changes.',
      incremental_alternative:
        'None either. No listing has cursors or wildcards, and walking keyed paths to rebuild the catalogue is not the way round it.'
    },
    federation: {
      description: 'You hold hashes and want to know what they name here.',
      endpoints_required: [pathTo.pattern('federation/identify'), pathTo('universal/encoding')],
      rate_pattern: 'In bursts, when something new turns up on your side.',
      cacheable_for_seconds: 31_536_000
    },
    spec_consumer: {
      description: 'You read the contract, not the cards.',
      endpoints_required: [pathTo('openapi'), pathTo('manifest'), pathTo('changelog')],
      rate_pattern: 'Once a week, or when the changelog names a change that is breaking.',
      cacheable_for_seconds: 604_800
    }
  },
  watchlist: {
    description: 'You follow certain cards.',
    endpoints_required: [pathTo.pattern('universal/card')],
    polling_interval_floor_seconds: 60,
    polling_interval_recommended_seconds: 300,
    rationale: `Cards change with an import, a few times a day at most; a faster poll gets the same cached answer. Up to 100 SKUs go into one POST ${pathTo('cards/batch.post')}.`
  },
  headersToSend: {
    'User-Agent': '<project>/<version> (<contact>)',
    Accept: 'application/json',
    'Accept-Encoding': 'gzip',
    'If-None-Match': 'The ETag of the copy you hold; a 304 has no body.'
  },
  headersToWatch: {
    'RateLimit-Limit': 'Requests in a window.',
    'RateLimit-Remaining': 'What is left of it. Public requests are not refused at 0; slowing down is a courtesy.',
    'RateLimit-Reset': 'Seconds until the window ends.',
    'Cache-Control': 'How long a copy may be used without asking.',
    Link: 'Where to go from here, in eleven relations.',
    'X-Request-Id': 'Name it when you report something.',
    'X-Spec-Version': 'Version of the contract that made the answer.'
  },
  longCrawls: [
    'Say who you are in `User-Agent`, with a way to reach you.',
    'Keep one connection open and one request in flight.',
    'Write down where you are, so that a restart goes on from there.',
    'After a 429 or a 503 wait as long as Retry-After says.'
  ]
})
