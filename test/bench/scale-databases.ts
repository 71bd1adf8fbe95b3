import { sha256Hex } from '../../core/canonical/json.ts'
import { migrate, status } from '../support/migrations.ts'
import { documentForm, refreshDocuments } from '../../surfaces/cards/writing.ts'
import { bulkLimits, silent } from '../../core/database/connection.ts'
import { openDatabase } from '../../core/database/database.ts'
import { startEmbedded, type EmbeddedServer } from '../../core/database/embedded.ts'
import { openPool } from '../../core/database/pool.ts'
import { importBundled } from '../../surfaces/importer.ts'
import { declaredSources } from '../surfaces/import/bundled-sources.ts'
import { fillCatalogue } from './scale-data.ts'

/** Real rows in each catalogue, about; a size is how many times it has them. */
const cards = 12_000
export const sizes = { '12k': 1, '72k': 6, '1M': 84 } as const
export type Size = keyof typeof sizes

/** Goes up when `fillCatalogue` changes what it makes. */
const version = 1

export const urlOf = ({ host, port, user }: EmbeddedServer['connection'], name: string): string =>
  `postgresql://${user}@${encodeURIComponent(host)}:${port}/${name}`

/** Nothing of this is lost that cannot be made again. */
const careless = {
  fsync: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '16GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off'
}

/** Loads the bundled cards; gives the key of their rows and their schema. */
async function loadBundled(url: string): Promise<string> {
  const database = await openDatabase({ url, dataDir: '', log: silent })
  try {
    await migrate(database.bulk)
    await refreshDocuments(database, documentForm)
    // With all that a start compares: else each server would import again, and withdraw what was added here.
    await importBundled(database, declaredSources().values())
    const { rows } = await database.bulk.raw<{ rows: unknown[] }>(
      "select distinct source, snapshot from runs where status = 'succeeded' order by 1, 2"
    )
    return sha256Hex(JSON.stringify([version, cards, sizes, rows, (await status(database.bulk)).done])).slice(0, 8)
  } finally {
    await database.close()
  }
}

/**
 * Makes the databases of all sizes that `dataDir` does not hold yet, and removes those of an earlier form. Answers
 * their names. The server is ended again: whoever measures starts it where it is to run.
 */
export async function prepareScale(
  dataDir: string,
  say: (text: string) => void
): Promise<Readonly<Record<Size, string>>> {
  const embedded = await startEmbedded({ dataDir, log: silent, settings: careless })
  const admin = openPool({ ...embedded.connection, database: 'postgres' }, bulkLimits, 1, silent)
  try {
    say('loading the bundled cards')
    const form = await loadBundled(urlOf(embedded.connection, embedded.connection.database))
    const names = Object.fromEntries(
      Object.keys(sizes).map(size => [size, `scale_${size.toLowerCase()}_${form}`])
    ) as Record<Size, string>
    const { rows } = await admin.raw<{ rows: { datname: string }[] }>(
      "select datname from pg_database where datname ~ '^scale_'"
    )
    const held = rows.map(({ datname }) => datname)
    for (const old of held.filter(name => !Object.values(names).includes(name)))
      await admin.raw('drop database ?? with (force)', [old])
    for (const [size, name] of Object.entries(names)) {
      if (held.includes(name)) continue
      const started = Date.now()
      await admin.raw('create database scale_unfinished template ??', [embedded.connection.database])
      const database = await openDatabase({
        url: urlOf(embedded.connection, 'scale_unfinished'),
        dataDir: '',
        log: silent
      })
      await fillCatalogue(database, { cards, turns: sizes[size as Size] }, what => {
        say(`${size}: ${what} (${Math.round((Date.now() - started) / 1000)} s)`)
      })
      await database.close()
      await admin.raw('alter database scale_unfinished rename to ??', [name])
    }
    return names
  } finally {
    await admin.destroy()
    await embedded.stop()
  }
}
