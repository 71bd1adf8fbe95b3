import type { Knex } from 'knex'
import type { JsonSchema } from '../../canonical/json.ts'
import { referredFields, type Corpus } from '../../corpus/corpus.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { ComparedColumn } from '../../manifest/surface.ts'
import type { Registry } from '../../registry/registry.ts'
import { propertiesOf, typesOf } from '../../schema/json-schema.ts'
import { reportFile } from '../../source/report.ts'
import {
  describeTable,
  firstOf,
  keepsUnique,
  schemaOfType,
  type DescribedTable,
  type DescribedIndex
} from './describe.ts'

type TableCorpus = Corpus & Required<Pick<Corpus, 'table'>>

const hasTable = (corpus: Corpus): corpus is TableCorpus => corpus.table !== undefined

const withoutNull = (schema: JsonSchema): readonly string[] => typesOf(schema).filter(type => type !== 'null')

/** Whether the values of a column type can be shown as a schema declares: every type can be shown as text. */
export function canShow(type: string, declared: JsonSchema): boolean {
  const made = schemaOfType(type)
  const [shown, ...others] = withoutNull(declared)
  const { format } = declared
  if (format === 'date' || format === 'date-time') return made?.['format'] === format
  if (made === undefined || others.length > 0) return made !== undefined
  if (shown === undefined || shown === 'string') return true
  const own = withoutNull(made)
  return own.length === 0 || own.includes(shown) || (shown === 'number' && own.includes('integer'))
}

const isFor = { values: /^btree$/, 'lower-case': /^btree$/, parts: /^gin$|^gist$/, items: /^gin$/ }

/** Whether an index makes a comparison of a column fast. */
function helps(described: DescribedIndex, { field, index }: ComparedColumn): boolean {
  const { method, operatorClass } = described
  const column = firstOf(described)
  if (!isFor[index].test(method)) return false
  if (index === 'lower-case') return column === `lower(${field})` || column === `lower(${field}::text)`
  return column === field && (index !== 'parts' || operatorClass.includes('trgm'))
}

/** For each kind of index, what it is for, and what follows the name of the table in the statement that creates it. */
const indexes = {
  values: { purpose: 'to compare or sort by', definition: (field: string) => `(${field})` },
  'lower-case': { purpose: 'to compare without case', definition: (field: string) => `(lower(${field}))` },
  parts: { purpose: 'to find a part of', definition: (field: string) => `using gin (${field} gin_trgm_ops)` },
  items: { purpose: 'to find an item of', definition: (field: string) => `using gin (${field})` }
}

function* differencesOf(
  { name: corpus, schema, key, table }: TableCorpus,
  needs: readonly ComparedColumn[],
  corpora: Registry['corpora'],
  found: DescribedTable | undefined
): Generator<Diagnostic> {
  const file = `corpora/${corpus}/schema.yaml`
  if (found === undefined) {
    const fix = 'Run the migration that makes it, or correct `table` in `corpus.yaml`.'
    yield reportFile(`corpora/${corpus}/corpus.yaml`, 'D101', `There is no table \`${table.name}\`.`, fix)
    return
  }
  const columns = new Map(found.columns.map(column => [column.name, column]))
  const rewrite = `Change the table, or run \`pantry table ${table.name} --corpus ${corpus} --update\`.`
  for (const [name, declared] of Object.entries(propertiesOf(schema))) {
    const column = columns.get(name)
    if (column === undefined) {
      yield reportFile(
        file,
        'D102',
        `\`${table.name}\` has no column \`${name}\`.`,
        `Change the table, or remove \`${name}\` from this file; a column that was renamed is written here by its new name.`
      )
      continue
    }
    if (!canShow(column.type, declared)) {
      const type = withoutNull(declared).join(' or ')
      yield reportFile(
        file,
        'D103',
        `The column \`${name}\` is \`${column.type}\`, and \`${type}\` is declared.`,
        rewrite
      )
    }
    if (!found.isView && column.isNullable && !typesOf(declared).includes('null') && typesOf(declared).length > 0)
      yield reportFile(file, 'D104', `The column \`${name}\` may be null, and null is not declared.`, rewrite)
  }
  for (const { field, corpus: named } of referredFields(schema)) {
    const leads = found.foreignKeys.find(({ column }) => column === field)
    const other = corpora.get(named)?.table
    if (leads === undefined || other === undefined || leads.tables.includes(other.name)) continue
    const message = `The foreign key of \`${field}\` leads to \`${leads.tables.at(-1) ?? ''}\`, and \`x-corpus\` to rows of \`${other.name}\`.`
    yield reportFile(file, 'D107', message, 'Correct `x-corpus`, or the foreign key.')
  }
  const { search } = table
  if (search !== undefined && columns.get(search.column)?.type !== 'tsvector') {
    const message = `\`${table.name}\` has no column \`${search.column}\` of type \`tsvector\`.`
    yield reportFile(`corpora/${corpus}/corpus.yaml`, 'D102', message, 'Add the column, or remove `search`.')
  }
  // What is behind a view has indexes, which nothing tells.
  if (found.isView) return
  if (!keepsUnique(found, [key])) {
    const fix = `Run \`create unique index on ${table.name} (${key})\` in a migration.`
    yield reportFile(file, 'D105', `Nothing keeps the key \`${key}\` unique.`, fix)
  }
  for (const need of needs)
    if (columns.has(need.field) && !found.indexes.some(index => helps(index, need))) {
      const { purpose, definition } = indexes[need.index]
      const fix = `Run \`create index on ${table.name} ${definition(need.field)}\` in a migration.`
      yield reportFile(file, 'D106', `No index helps ${purpose} \`${need.field}\`.`, fix)
    }
  if (search !== undefined && columns.has(search.column)) {
    const isIndexed = found.indexes.some(index => index.method === 'gin' && firstOf(index) === search.column)
    const fix = `Run \`create index on ${table.name} using gin (${search.column})\` in a migration.`
    if (!isIndexed) yield reportFile(file, 'D106', `No index helps to search \`${search.column}\`.`, fix)
  }
}

type Declared = Pick<Registry, 'corpora' | 'surfaces'>

const tableCorpora = ({ corpora }: Pick<Registry, 'corpora'>): readonly TableCorpus[] =>
  [...corpora.values()].filter(hasTable)

/** Whether some corpus of a registry is a table. */
export const hasTables = (registry: Pick<Registry, 'corpora'>): boolean => tableCorpora(registry).length > 0

/** Returns how the tables of the database differ from what the corpora and surfaces of a registry declare. */
export async function compareTables(knex: Knex, registry: Declared): Promise<readonly Diagnostic[]> {
  const differences: Diagnostic[] = []
  for (const corpus of tableCorpora(registry)) {
    const compared = registry.surfaces.flatMap(({ shows, compares = [] }) =>
      shows?.corpus === corpus.name ? compares : []
    )
    const needs = new Map(compared.map(one => [`${one.field} ${one.index}`, one]))
    const found = await describeTable(knex, corpus.table.name)
    differences.push(...differencesOf(corpus, [...needs.values()], registry.corpora, found))
  }
  return differences
}
