import type { Knex } from 'knex'
import * as catalogue from './0001_catalogue.ts'
import * as sightings from './0002_sightings.ts'
import * as search from './0003_search.ts'
import * as families from './0004_families.ts'
import * as counts from './0005_counts.ts'
import * as coverage from './0006_coverage.ts'
import * as identify from './0007_identify.ts'
import * as statementIds from './0008_statement_ids.ts'

/** By name, without the extension: the same name stands for the source and for the compiled file. Names are permanent and run in this order. */
const migrations = new Map<string, Knex.Migration>([
  ['0001_catalogue', catalogue],
  ['0002_sightings', sightings],
  ['0003_search', search],
  ['0004_families', families],
  ['0005_counts', counts],
  ['0006_coverage', coverage],
  ['0007_identify', identify],
  ['0008_statement_ids', statementIds]
])

const config: Knex.MigratorConfig = {
  tableName: 'schema_migrations',
  migrationSource: {
    getMigrations: () => Promise.resolve([...migrations.keys()]),
    getMigrationName: (name: string) => name,
    getMigration: (name: string) => {
      const migration = migrations.get(name)
      return migration === undefined ? Promise.reject(new Error(`There is no migration \`${name}\`.`)) : Promise.resolve(migration)
    }
  }
}

/** Key of the advisory lock, ours alone: "pantry" in ASCII. */
const lockKey = 0x70616e747279

export type MigrationStatus = Readonly<{ done: readonly string[], pending: readonly string[] }>

/**
 * Brings the schema up to date, takes back the last step (`down`) or everything (`reset`), in one transaction: all or nothing.
 * Returns the names that ran. Several processes may call it at once: an advisory lock lets one work and the others find it done.
 */
export async function migrate (knex: Knex, direction: 'up' | 'down' | 'reset' = 'up'): Promise<readonly string[]> {
  return await knex.transaction(async trx => {
    await trx.raw('select pg_advisory_xact_lock(?)', [lockKey])
    const [, names] = await run(trx, direction) as [number, string[]]
    return names
  })
}

/** What ran already and what is still to run. Changes nothing. */
export async function status (knex: Knex): Promise<MigrationStatus> {
  const known = await knex.schema.hasTable('schema_migrations')
  const done: string[] = known ? await knex('schema_migrations').orderBy('id').pluck<string[]>('name') : []
  return { done, pending: [...migrations.keys()].filter(name => !done.includes(name)) }
}

function run (trx: Knex.Transaction, direction: 'up' | 'down' | 'reset'): Promise<unknown> {
  switch (direction) {
    case 'up': return trx.migrate.latest(config)
    case 'down': return trx.migrate.down(config)
    case 'reset': return trx.migrate.rollback(config, true)
  }
}
