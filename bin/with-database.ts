import type { Database } from '../core/database/database.ts'
import { databaseOptions, readConfig } from './config.ts'
import { print, type Io } from './output/io.ts'

/**
 * Opens the database of the configuration for one piece of work and closes it again; one that a running service has is
 * shared. Nobody waits for a command, so it waits for a connection itself. What it reports goes to stderr.
 */
export async function withOpenDatabase<T>(
  io: Io,
  work: (database: Database, dataDir: string) => Promise<T>
): Promise<T> {
  const { openDatabase } = await import('../core/database/database.ts')
  const tell = (message: string): void => {
    print(io.stderr, message)
  }
  const config = readConfig(io.env)
  const database = await openDatabase({
    ...databaseOptions(config),
    share: true,
    isPatient: true,
    log: { info: tell, warn: tell, error: tell }
  })
  try {
    return await work(database, config.dataDir)
  } finally {
    await database.close()
  }
}

/** As `withOpenDatabase`, but first runs all migrations of the named roots. */
export async function withDatabase<T>(
  io: Io,
  roots: readonly string[],
  work: (database: Database, dataDir: string) => Promise<T>
): Promise<T> {
  const { migrationsOf } = await import('./roots.ts')
  const { migrate } = await import('../core/database/migrations.ts')
  return await withOpenDatabase(io, async (database, dataDir) => {
    await migrate(database.bulk, migrationsOf(roots))
    return await work(database, dataDir)
  })
}
