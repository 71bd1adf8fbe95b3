import { Text, type JsonValue } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'

const columns = [Text, Text, Text] as const

/** A value read from an outside service, with the time in milliseconds since 1970. */
export type OutsideReading = Readonly<{ readAt: number; value: JsonValue }>

/**
 * The latest readings of outside services, shared by all processes on a database so that they show the same. Neither
 * method rejects: without the database, each process uses its own readings.
 */
export class SharedReadings {
  readonly #knex: Database['knex']
  readonly #last: Loader<RowOf<typeof columns>>

  constructor({ knex, reader }: Pick<Database, 'knex' | 'reader'>) {
    this.#knex = knex
    this.#last = reader.createLoader({
      name: 'outside_readings',
      sql: 'select name, floor(extract(epoch from read_at) * 1000)::text, value::text from outside_readings where name = any($1)',
      columns,
      keyOf: row => row[0]
    })
  }

  async last(name: string): Promise<OutsideReading | undefined> {
    const row = await this.#last.load(name).catch(() => undefined)
    return row === undefined ? undefined : { readAt: Number(row[1]), value: JSON.parse(row[2]) as JsonValue }
  }

  /** Stores a reading, unless a newer one is stored. */
  async put(name: string, { readAt, value }: OutsideReading): Promise<void> {
    await this.#knex
      .raw(
        `
      insert into outside_readings (name, read_at, value) values (?, to_timestamp(?::double precision / 1000), ?::jsonb)
      on conflict (name) do update set read_at = excluded.read_at, value = excluded.value where outside_readings.read_at < excluded.read_at`,
        [name, readAt, JSON.stringify(value)]
      )
      .catch(() => undefined)
  }
}
