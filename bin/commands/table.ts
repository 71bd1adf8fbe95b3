import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Argument, Option } from 'commander'
import { nameForm } from '../../core/vocabulary/words.ts'
import { defineCommand, rootOption, type RootOptions } from '../command.ts'
import { UsageError } from '../config.ts'
import { print } from '../io.ts'
import { folderOfNew, printNewFiles, refuseExisting, writeNewFiles } from '../written-files.ts'

type Options = RootOptions & { corpus?: string; key?: string; license?: string; update?: true; dryRun?: true }

/** Returns the name of the corpus for a table: `public.bus_stops` becomes `bus-stops`. */
const corpusNameOf = (table: string): string =>
  (table.split('.').at(-1) ?? table)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

export const tableCommand = defineCommand<[table: string], Options>({
  name: 'table',
  group: 'write',
  summary: 'Declare a table or view of the database as a corpus.',
  description: [
    'Reads columns, types, keys and indexes, and writes corpora/<name>/corpus.yaml and schema.yaml.',
    'Only the columns that schema.yaml names are ever served; `pantry new rows` then makes a surface of them.'
  ],
  arguments: [new Argument('<table>', 'Table or view, with its schema unless that is in the search path.')],
  options: [
    rootOption(),
    new Option('--corpus <name>', 'Name of the corpus. Default: that of the table.'),
    new Option('--key <column>', 'Column that identifies a row. Default: the primary key.'),
    new Option('--license <name>', 'License of the rows. Default: NOASSERTION, which allows nobody to reuse them.'),
    new Option('--update', 'Take over types and foreign keys of the table, and tell which columns are new.'),
    new Option('--dry-run', 'Print the files instead of writing them.')
  ],
  examples: [
    ['pantry table places --license CC0-1.0', 'Declare the table `places` as the corpus `places`.'],
    ['pantry table geo.places --corpus towns --key id', 'A table of another schema, or a view.'],
    ['pantry table places --update', 'After a migration: take over changed types and foreign keys.']
  ],
  exits: {
    1: 'The service cannot be read.',
    2: 'Wrong usage, no such table, or a file that exists.',
    3: 'The database cannot be used.'
  },
  async run([table], { root, corpus = corpusNameOf(table), key: named, license = 'NOASSERTION', update, dryRun }, io) {
    const { requireReadable } = await import('../read-registry.ts')
    const { withDatabase } = await import('../with-database.ts')
    const { describeTable } = await import('../../core/database/tables/describe.ts')
    const { columnsOf, keyOf, referencesOf, requireTableName, tableCorpusText, tableSchemaText } =
      await import('../scaffold/table-corpus.ts')
    requireTableName(table)
    if (!nameForm.test(corpus))
      throw new UsageError(
        `The corpus must be lowercase words with hyphens, but it is \`${corpus}\`: name it with --corpus.`
      )
    const { registry } = await requireReadable(root, io)
    const { tiers } = registry.service
    if (!Object.hasOwn(tiers, license))
      throw new UsageError(`There is no license tier \`${license}\`. Tiers: ${Object.keys(tiers).join(', ')}.`)
    const found = await withDatabase(io, root, ({ bulk }) => describeTable(bulk, table))
    if (found === undefined)
      throw new UsageError(`The database has no table or view \`${table}\` that its role may see.`)
    const described = found
    if (update === true) return await updateSchema()
    const key = keyOf(table, found, named)
    const { properties, left } = columnsOf(found, referred({ name: corpus, key, table: { name: table } }))
    const files = {
      [`corpora/${corpus}/corpus.yaml`]: tableCorpusText({ table, corpus, key, license }, found),
      [`corpora/${corpus}/schema.yaml`]: tableSchemaText(properties, key)
    }
    if (left.length > 0) print(io.stderr, `Not served: ${left.join(', ')}.`)
    if (dryRun === true) {
      printNewFiles(files, io)
      return 0
    }
    const folder = folderOfNew(root)
    refuseExisting(folder, files)
    writeNewFiles(folder, files, io)
    print(
      io.stderr,
      `Next: say in corpus.yaml where the rows come from and under which license, then \`npx pantry new rows ${corpus}\` and \`npx pantry new row ${corpus}/entry --corpus ${corpus}\`.`
    )
    return 0

    /** Returns the corpora that foreign keys lead to, and says which tables are none. */
    function referred(...own: Parameters<typeof referencesOf>[1]): ReadonlyMap<string, string> {
      const { corpora, tables } = referencesOf(described, [...own, ...registry.corpora.values()])
      for (const [column, other] of tables)
        print(
          io.stderr,
          `\`${column}\` names rows of \`${other}\`, which is no corpus. To link to them, run \`pantry table ${other}\`, then \`pantry table ${table} --corpus ${corpus} --update\`.`
        )
      return corpora
    }

    async function updateSchema(): Promise<0> {
      const { folderOfCorpus } = await import('../written-files.ts')
      const { canShow } = await import('../../core/database/tables/compare.ts')
      const { updatedColumns } = await import('../scaffold/table-corpus.ts')
      const declared = registry.corpora.get(corpus)
      const path = join(folderOfCorpus(root, corpus), 'corpora', corpus, 'schema.yaml')
      if (declared?.table === undefined || !existsSync(path))
        throw new UsageError(`The corpus \`${corpus}\` is no table, or has mistakes: run \`pantry validate\`.`)
      const types = new Map(described.columns.map(({ name, type }) => [name, type]))
      const { properties, added, gone } = updatedColumns(
        declared.schema,
        columnsOf(described, referred()),
        (name, schema) => canShow(types.get(name) ?? '', schema)
      )
      if (added.length > 0)
        print(io.stderr, `New in the table, and not served until you name them: ${added.join(', ')}.`)
      if (gone.length > 0) print(io.stderr, `No longer in the table: ${gone.join(', ')}.`)
      const text = tableSchemaText(properties, declared.key)
      if (dryRun === true) print(io.stdout, text)
      else writeFileSync(path, text)
      return 0
    }
  }
})
