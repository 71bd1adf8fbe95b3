import { get as request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { statements, type Statement } from '../../../../core/database/pool.ts'
import type { Database } from '../../../../core/database/database.ts'
import { testDatabase } from '../../../support/database.ts'
import { migrateRoot } from '../../../support/migrate-root.ts'
import { gazetteer } from '../../../support/registry.ts'
import { generationOf, serveGeneration } from '../../../support/serve-root.ts'

export const path = '/api/v1/places'
/** Rows of the table, and of one statement. */
export const [most, perStatement] = [5_000, 1_000]

/** Adds places with numbers from `first`, many of which are alike or have nulls, each with notes of 4 KB. */
export const addPlaces = async ({ bulk }: Database, first: number, last: number): Promise<void> => {
  await bulk.raw(
    `insert into places (id, name, kind, population, height_m, surveyed_at, has_harbour, notes)
     select n, 'Place ' || n % 700, (array['town', 'village', 'hamlet'])[1 + n % 3], nullif(n * 7919 % 40, 0),
       case when n % 3 > 0 then n * 104729 % 1000 / 10.0 end, timestamptz '2026-03-01T10:00:00Z' + n % 900 * interval '1 microsecond',
       n % 2 = 0, jsonb_build_object('said', repeat('=' || n || ', "so" ', 300))
     from generate_series(?::bigint, ?::bigint) n`,
    [first, last]
  )
}

/** The gazetteer with 5,000 places, behind a real socket. `batches`: the statements that have read rows of lists. */
export async function serveManyPlaces(t: Test) {
  const { database, url } = await testDatabase(t, 'empty')
  await migrateRoot(database.bulk, gazetteer)
  await database.bulk.raw('delete from places')
  await addPlaces(database, 1, most)
  await database.bulk.raw('analyze places')
  const faults: unknown[] = []
  const generation = await generationOf(t, [gazetteer], { databaseUrl: url, faults })
  const batches: string[] = []
  const subscriber = {
    start: ({ sql = '' }: Statement) => {
      if (/^select .* from "places" .*order by/s.test(sql)) batches.push(sql)
    }
  }
  statements.subscribe(subscriber as Parameters<typeof statements.subscribe>[0])
  t.teardown(() => {
    statements.unsubscribe(subscriber as Parameters<typeof statements.unsubscribe>[0])
  })
  return { database, url, faults, generation, batches, served: await serveGeneration(t, generation) }
}

/** Asks, and reads nothing of the body until somebody does. */
export const begin = (
  { url }: Readonly<{ url: string }>,
  target: string,
  headers: Record<string, string> = {}
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(url + target, { agent: false, headers }, resolve).on('error', reject)
  })

/** The whole body, or `cut` if the connection was destroyed before its end. */
export const bodyOf = (answer: IncomingMessage): Promise<string> => text(answer).catch(() => 'cut')
