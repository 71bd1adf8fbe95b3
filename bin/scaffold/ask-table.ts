import { referredFields, type Corpus } from '../../core/corpus/corpus.ts'
import { existingCluster } from '../../core/database/embedded/cluster.ts'
import { operatorFaultOf } from '../../core/database/errors.ts'
import { describeTable, type DescribedTable } from '../../core/database/tables/describe.ts'
import { addingWords } from '../../core/database/tables/load.ts'
import type { AskedOfRows } from '../../core/kinds/scaffold.ts'
import { propertiesOf } from '../../core/schema/json-schema.ts'
import { readConfig } from '../config.ts'
import { print, type Io } from '../io.ts'
import { withOpenDatabase } from '../with-database.ts'
import { askedOf } from './asked-of-rows.ts'

type Declared = Pick<Corpus, 'name' | 'key' | 'schema'> & Readonly<{ table: NonNullable<Corpus['table']> }>

/**
 * Asks the database what callers can ask of the table of a corpus, and prints which migration makes more possible.
 * Returns undefined, and says so, if the database cannot be asked.
 */
export async function askTable({ name, key, schema, table }: Declared, io: Io): Promise<AskedOfRows | undefined> {
  const tell = (text: string): void => {
    print(io.stderr, text)
  }
  const { databaseUrl, dataDir } = readConfig(io.env)
  if (databaseUrl === undefined && existingCluster(dataDir) === undefined) {
    tell('No filter and no order is proposed, because there is no database yet. Run `pantry migrate`, then this again.')
    return undefined
  }
  let found: DescribedTable | undefined
  try {
    found = await withOpenDatabase(io, ({ bulk }) => describeTable(bulk, table.name))
  } catch (error) {
    const fault = operatorFaultOf(error)
    if (fault === undefined) throw error
    tell(`No filter and no order is proposed, because the database cannot be asked: ${fault.message}`)
    return undefined
  }
  if (found === undefined) {
    tell(
      `No filter and no order is proposed, because the database has no table \`${table.name}\` yet. Run \`pantry migrate\`, then this again.`
    )
    return undefined
  }
  const served = propertiesOf(schema)
  const columns = found.columns.filter(column => column.name in served)
  const references = referredFields(schema).map(({ field }) => field)
  const { filters, sort, slow, texts } = askedOf({ ...found, columns }, key, references)
  if (found.isView)
    tell(`\`${table.name}\` is a view: name under \`filters\` and \`sort\` what has an index behind it.`)
  else if (slow.length > 0)
    tell(
      `No index: ${slow.join(', ')}. To filter or sort by one, run \`create index on ${table.name} (${slow[0] ?? ''})\` in a migration, and name it under \`filters\` or \`sort\`.`
    )
  if (!found.isView && table.search === undefined && texts.length > 0)
    tell(
      `No words are searched. To change that, run \`${addingWords(table.name, texts).join('; ')}\` in a migration, write \`search: { column: words, language: simple }\` in corpora/${name}/corpus.yaml, and \`search: true\` in the manifest.`
    )
  return { filters, sort }
}
