import type { PathTo } from 'pantry/data'

/** Returns the fixed part of the crawl budget, which does not depend on counts. Times are in seconds. */
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
