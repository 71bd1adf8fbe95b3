import { sha256Hex } from 'pantry/data'
import type { Transaction } from 'pantry/database'

type Fetch = (keys: readonly string[]) => Promise<ReadonlyMap<string, number>>

/** The cache is cleared above this size. It is more than any source has sets, and bounds memory use. */
const most = 20_000

/** A cache of database ids by text key, which fetches each missing id once. */
export class Ids {
  private readonly known = new Map<string, number>()
  private readonly fetch: Fetch

  constructor(fetch: Fetch) {
    this.fetch = fetch
  }

  async of(keys: Iterable<string>): Promise<ReadonlyMap<string, number>> {
    const asked = [...new Set(keys)]
    if (this.known.size > most) this.known.clear()
    const missing = asked.filter(key => !this.known.has(key))
    if (missing.length > 0) for (const [key, id] of await this.fetch(missing)) this.known.set(key, id)
    return this.known
  }
}

/** Returns ids of set statements by their JSON text; new statements are inserted. */
export const statementIds = (transaction: Transaction): Ids =>
  new Ids(async texts => {
    const byDigest = new Map(texts.map(text => [sha256Hex(text), text]))
    const digests = [...byDigest.keys()]
    const { rows } = await transaction.raw<{ rows: { id: number; digest: string }[] }>(
      `
    with given as materialized (select * from unnest(?::text[], ?::jsonb[]) as n(digest, statement)),
      made as (insert into set_statements (digest, statement) select * from given on conflict do nothing returning id, digest)
    select id, digest from made union all select s.id, digest from given join set_statements s using (digest)`,
      [digests, [...byDigest.values()]]
    )
    return new Map(rows.map(({ id, digest }) => [byDigest.get(digest) ?? '', id]))
  })

/** Returns the cache key of a set. Codes that differ only by case give different keys with the same id. */
export const setKey = (game: string, code: string): string => `${game} ${code}`

/** Returns ids of sets by `setKey`; a set that does not exist yet is inserted without facts. */
export const setIds = (transaction: Transaction): Ids =>
  new Ids(async keys => {
    const games = keys.map(key => key.slice(0, key.indexOf(' ')))
    const codes = keys.map(key => key.slice(key.indexOf(' ') + 1))
    // Inserted rows are not visible in the same statement, so the query combines `returning` with the existing rows.
    const { rows } = await transaction.raw<{ rows: { id: number; place: number }[] }>(
      `
    with given as materialized (select * from unnest(?::text[], ?::text[], ?::text[]) with ordinality as n(game, code, code_key, place)),
      made as (
        insert into sets (game, code, code_key, first_seen_at) select game, code, code_key, now() from given on conflict do nothing returning id, game, code_key
      )
    select id, place::int from given join made using (game, code_key) union all select s.id, place::int from given join sets s using (game, code_key)`,
      [games, codes, codes.map(code => code.toLowerCase())]
    )
    return new Map(rows.map(({ id, place }) => [keys[place - 1] ?? '', id]))
  })
