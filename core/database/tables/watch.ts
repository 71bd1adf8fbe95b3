import type { Knex } from 'knex'
import type { Corpus } from '../../corpus/corpus.ts'
import type { SubsystemState } from '../../discovery/define.ts'
import type { Rows } from '../../plan/kind.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import { compareTables } from './compare.ts'
import { isOtherTable, openRows } from './rows.ts'

/** `isDue`: the table must be looked at, because it is new or a request met a difference. */
type Watched = { readonly corpus: Corpus; isDue: boolean; status: SubsystemState['status'] }

/** Tells whether all columns of a table can be read as requests read them. */
async function canRead(knex: Knex, corpus: Corpus): Promise<boolean> {
  const { key, schema } = corpus
  const none = { field: key, sql: 'false', wanted: '' }
  try {
    await openRows(corpus, () => Promise.resolve(knex)).list({
      columns: Object.keys(propertiesOf(schema)),
      conditions: [none],
      order: [key],
      limit: 0
    })
    return true
  } catch (error) {
    if (isOtherTable(error)) return false
    throw error
  }
}

/** Tells how well a table can be served as its corpus declares. */
async function statusOf(knex: Knex, corpus: Corpus): Promise<SubsystemState['status']> {
  if (!(await canRead(knex, corpus))) return 'down'
  const found = await compareTables(knex, { corpora: new Map([[corpus.name, corpus]]), surfaces: [] })
  return found.some(({ severity }) => severity === 'error') ? 'degraded' : 'ok'
}

type TableWatch = Readonly<{
  /** Returns the reader of the rows of a corpus with a table, which is watched from then on. */
  rows: (corpus: Corpus) => Rows
  /** Returns the tables that are not as they are declared. Asks the database only of those that may be so. */
  health: () => Promise<Readonly<Record<string, SubsystemState>>>
}>

/** Watches whether the tables that are served are as their corpora declare. */
export function watchTables(reading: () => Promise<Knex>): TableWatch {
  const watched = new Map<string, Watched>()

  async function look(one: Watched): Promise<void> {
    one.isDue = false
    try {
      one.status = await statusOf(await reading(), one.corpus)
    } catch {
      // The database is away, which its own health says.
      one.isDue = true
    }
  }

  return {
    rows: corpus => {
      watched.set(corpus.name, { corpus, isDue: true, status: watched.get(corpus.name)?.status ?? 'ok' })
      // Several surfaces read one corpus, and all of them watch it as it is declared last.
      return openRows(corpus, reading, () => {
        const one = watched.get(corpus.name)
        if (one !== undefined) one.isDue = true
      })
    },
    health: async () => {
      const all = [...watched]
      for (const [, one] of all) if (one.isDue || one.status !== 'ok') await look(one)
      return Object.fromEntries(
        all.flatMap(([name, { status }]) =>
          status === 'ok'
            ? []
            : [
                [
                  `table:${name}`,
                  {
                    status,
                    detail: `The table of \`${name}\` is not as it is declared, so that what reads it may fail. The operator has to repair it.`,
                    corpora: [name]
                  }
                ]
              ]
        )
      )
    }
  }
}
