import type { Test } from 'tap'
import type { JsonObject } from '../../../core/canonical/json.ts'
import type { Handler } from '../../../core/handler/handler.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { CatalogueCache } from '../../../surfaces/cards/kept.ts'
import { CoverageStore } from '../../../surfaces/coverage/coverage-store.ts'
import type { Database } from '../../../core/database/database.ts'
import { GameDirectory, type Game } from '../../../surfaces/cards/games.ts'
import type { Services } from '../../../surfaces/services.ts'
import { importSource } from '../../../surfaces/importer.ts'
import type { Source } from '../../../surfaces/import/source.ts'
import { RunStore } from '../../../surfaces/sources/runs.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { requestOf } from '../cards/ask.ts'
import { writeRows, type Row } from '../import/rows-on-disk.ts'

export const now = new Date('2026-11-20T12:00:00.000Z')

const lanterns: Game = {
  token: 'lan',
  name: 'Lantern Game',
  short_name: 'Lanterns',
  slug: 'lantern-game',
  aliases: ['lamp'],
  publisher: 'Nobody',
  languages: ['en'],
  curated: false,
  numbers: 'set',
  printed_numbers: []
}

/** Asks a handler and makes sure that the answer has the declared shape. */
export type Asking = (handler: Handler<Services>, query?: JsonObject, params?: JsonObject) => Promise<JsonObject>

export const askingOf =
  (
    t: Test,
    database: Pick<Database, 'reading' | 'rows' | 'reader' | 'inSnapshot'>,
    sources: readonly Source[]
  ): Asking =>
  async (handler, query = {}, params = {}) => {
    const kept = new CatalogueCache(database)
    const services: Partial<Services> = {
      kept,
      coverage: new CoverageStore(database, kept),
      runs: new RunStore(database),
      games: new GameDirectory([lanterns]),
      sources: new Map(sources.map(source => [source.id, source]))
    }
    const { data } = await handler.handle(requestOf({ query, params, now }), services as Services)
    t.same(compileSchema(handler.reply)(data ?? null), [], 'has the declared shape')
    return data as JsonObject
  }

/** A database of its own, into which invented sources are imported as if on days of the past. */
export async function stage(
  t: Test
): Promise<{
  database: Database
  folder: string
  seen: (source: Source, moment: string, rows: readonly Row[]) => Promise<void>
}> {
  const { database } = await testDatabase(t)
  const folder = scratchFolder(t)
  return {
    database,
    folder,
    seen: async (source, moment, rows) => {
      const { run } = await importSource(database, source, { folder: writeRows(folder, rows) })
      await database.bulk.raw('update runs set started_at = ?, finished_at = ? where id = ?', [moment, moment, run])
    }
  }
}
