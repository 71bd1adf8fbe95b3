import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../core/database/database.ts'
import { databaseOptions, readConfig } from './config.ts'
import { print, type Io } from './io.ts'

/**
 * Opens the database of the configuration for one piece of work; one that a running service has is shared. No request
 * waits for a command, so it waits up to a minute for a connection. What it reports goes to stderr.
 */
export async function withOpenDatabase<T>(
  io: Io,
  work: (database: Database, dataDir: string) => Promise<T>
): Promise<T> {
  const { openDatabase } = await import('../core/database/database.ts')
  const told = new Set<string>()
  const tell = (message: string): void => {
    if (told.has(message)) return
    told.add(message)
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

const maxBytes = 65_536
const modeOfOthers = 0o077

const notSecret = new Set(['lock'])

/** The contents of secret files in base64, by file name. */
type Secrets = Readonly<Record<string, string>>

/**
 * Reads the files directly in the data folder that only their owner can access, in which code of roots keeps secrets.
 * Skips the lock, symbolic links, and files of more than 64 KiB.
 */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const names = await readdir(dataDir).catch(() => [])
  const found = await Promise.all(
    names
      .filter(name => !notSecret.has(name))
      .sort()
      .map(async name => {
        const file = join(dataDir, name)
        const { mode, size } = await lstat(file)
        if ((mode & constants.S_IFMT) !== constants.S_IFREG || (mode & modeOfOthers) !== 0 || size > maxBytes) return []
        const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
        try {
          return [[name, (await handle.readFile()).toString('base64')]]
        } finally {
          await handle.close()
        }
      })
  )
  return Object.fromEntries(found.flat()) as Secrets
}

/**
 * Writes secrets to the data folder, and changes no existing file. Returns the names whose file has other content, and
 * the invalid names.
 */
export async function keepSecrets(dataDir: string, secrets: Secrets): Promise<readonly string[]> {
  await mkdir(dataDir, { recursive: true })
  const held = await readSecrets(dataDir)
  const others: string[] = []
  for (const [name, content] of Object.entries(secrets)) {
    if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) others.push(name)
    else if (held[name] !== undefined) others.push(...(held[name] === content ? [] : [name]))
    else {
      const handle = await open(join(dataDir, name), 'wx', 0o600)
      await handle.writeFile(Buffer.from(content, 'base64'))
      await handle.close()
    }
  }
  return others
}
