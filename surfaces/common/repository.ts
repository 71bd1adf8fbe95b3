import { closed, Text, type DataOf } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import type { TSchema } from 'typebox'

/** The primary database: what is about people is read from there, so that all processes see a change at once. */
export type Store = Pick<Database, 'knex' | 'rows'>

export type StoreTransaction = Readonly<{ knex: Knex.Transaction; rows: Store['rows'] }>

export const inTransaction = async <T>({ knex, rows }: Store, work: (store: StoreTransaction) => Promise<T>) =>
  await knex.transaction(async transaction => await work({ knex: transaction, rows }))

/** A row of which only the id is read. */
export const RowId = closed({ id: Text })

/** A class that reads and writes some tables. */
export class Repository {
  protected readonly store: Store
  protected readonly knex: Store['knex']
  protected readonly rows: Store['rows']

  constructor(store: Store) {
    this.store = store
    this.knex = store.knex
    this.rows = store.rows
  }

  protected async first<S extends TSchema>(row: S, statement: PromiseLike<unknown>): Promise<DataOf<S> | undefined> {
    return (await this.rows(row, statement))[0]
  }
}

/** Locks the row of a person until the transaction ends. */
export const lockPerson = async (transaction: Knex.Transaction, id: string): Promise<void> => {
  await transaction('people').where({ id }).forUpdate().select('id')
}
