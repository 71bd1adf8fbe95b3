import { existsSync, unlinkSync, writeFileSync } from 'node:fs'
import { join, parse, relative } from 'node:path'
import { Argument, Option } from 'commander'
import type { Database } from '../../core/database/database.ts'
import type { NewTable } from '../../core/database/tables/load.ts'
import { choice, defineCommand, namesOption, rootOption, type RootOptions } from '../command.ts'
import { print, printAs } from '../io.ts'
import { fileEndings, fileForms, requireFile, separators, type FileForm, type Separator } from '../load/file-forms.ts'
import { buildOf } from '../project.ts'
import { tableOf } from '../table.ts'
import { folderOfNew } from '../written-files.ts'

const formats = ['table', 'json'] as const

type Options = RootOptions & {
  table: string
  fileFormat?: FileForm | undefined
  separator?: Separator | undefined
  fromTable?: string | undefined
  key?: readonly string[]
  search?: readonly string[]
  index?: readonly string[]
  type?: readonly string[]
  replace?: true
  migration: boolean
  dryRun?: true
  format: (typeof formats)[number]
}

/** A migration that was written. `name`: by which the database records it. */
type Written = Readonly<{ name: string; path: string; shown: string; folder: string; isTyped: boolean }>

/** Writes the migration of a new table to the root of new files, if that has migrations. */
async function writeMigration(roots: readonly string[], made: NewTable): Promise<Written | undefined> {
  const folder = folderOfNew(roots)
  if (!existsSync(join(folder, 'migrations'))) return undefined
  const { migrationFile, tableMigration } = await import('../scaffold/migration.ts')
  const { definerOf } = await import('../roots.ts')
  const [[file, text] = ['', '']] = Object.entries(
    migrationFile(tableMigration(made), { folder, definer: await definerOf(folder) })
  )
  const path = join(folder, file)
  writeFileSync(path, text, { flag: 'wx' })
  const { name, ext } = parse(file)
  return { name, path, shown: relative(process.cwd(), path), folder, isTyped: ext === '.ts' }
}

export const load = defineCommand<[file: string], Options>({
  name: 'load',
  group: 'operate',
  summary: 'Load a file into a table of the database.',
  description: [
    'Reads CSV, TSV, JSON Lines, a JSON list, Parquet, a table of an SQLite file or a sheet of a workbook (XLSX), infers the type of each column, creates the table if it is new, and copies the rows in.',
    'In a root that has migrations, a new table gets one too, which other databases run; in this one it counts as run. All rows come in one transaction. A row that a column cannot hold is left out and reported.'
  ],
  arguments: [new Argument('<file>', `File that ends in ${fileEndings.join(', ')}, or any file with --file-format.`)],
  options: [
    rootOption(),
    new Option(
      '--table <name>',
      'Table to load into, with its schema unless that is in the search path.'
    ).makeOptionMandatory(),
    choice('--file-format <format>', 'Form of the file, if its name does not say it.', fileForms),
    choice('--separator <sign>', 'What separates cells. Default: what the first line shows.', separators),
    new Option(
      '--from-table <name>',
      'Table or view of an SQLite file, or sheet of a workbook. Default: the only one that it has.'
    ),
    namesOption(
      '--key <columns>',
      'Column, or several with commas, that identify a row: a row takes the place of the one with its key.'
    ),
    namesOption('--search <columns>', 'Columns of a new table whose words are searched, with commas between them.'),
    namesOption(
      '--index <columns>',
      "Columns of a new table to filter or sort by. Default: those with few words, numbers and dates; none: `--index ''`."
    ),
    namesOption(
      '--type <column=type>',
      'Type of a column of a new table, instead of the inferred one; several with commas.'
    ),
    new Option('--replace', 'Delete the rows that the table has first.'),
    new Option('--no-migration', 'Write no migration for a new table: other databases then do not have it.'),
    new Option('--dry-run', 'Only show the columns with their types, and what would be left out.'),
    choice('--format <format>', 'Form of the report.', formats, 'table')
  ],
  examples: [
    ['pantry load places.csv --table places --key id --search name --index country', 'Create the table, and fill it.'],
    [
      'pantry load stop_times.txt --table stop_times --key trip_id,stop_sequence --type stop_headsign=text',
      'A key of two columns, and a type that the values do not show.'
    ],
    ['pantry load island.sqlite --from-table harbours --table harbours --key id', 'A table of an SQLite file.']
  ],
  exits: {
    1: 'Some rows were left out.',
    2: 'Wrong usage, or the file cannot be read.',
    3: 'The database cannot be used, or refused the rows, or the file takes too much memory or time.'
  },
  async run(
    [file],
    {
      root,
      table,
      fileFormat,
      separator,
      fromTable,
      key = [],
      search = [],
      index: indexes,
      type: types = [],
      replace,
      migration,
      dryRun,
      format
    },
    io
  ) {
    requireFile(file)
    const { planLoad } = await import('../load/plan-load.ts')
    const { createProgress } = await import('../progress.ts')
    const { withDatabase, withOpenDatabase } = await import('../with-database.ts')
    const { describeTable } = await import('../../core/database/tables/describe.ts')
    const { keyOfNew, loadRows } = await import('../../core/database/tables/load.ts')
    const wanted = {
      file,
      fileFormat,
      separator,
      fromTable,
      table,
      key,
      search,
      indexes,
      types,
      replaces: replace === true
    }
    const work = async (database: Database) => {
      const plan = await planLoad(wanted, await describeTable(database.bulk, table), createProgress(io.stderr))
      if (dryRun === true) return { ...plan, loaded: undefined, written: undefined }
      const { request } = plan
      const written = migration && request.existing === undefined ? await writeMigration(root, request) : undefined
      try {
        return { ...plan, written, loaded: await loadRows(database, { ...request, migration: written?.name }) }
      } catch (error) {
        if (written !== undefined) unlinkSync(written.path)
        throw error
      }
    }
    // A dry run changes nothing, so it runs no migrations.
    const outcome = dryRun === true ? await withOpenDatabase(io, work) : await withDatabase(io, root, work)
    const { columns, left, leftOut, notes, loaded, request, written } = outcome
    const report = {
      table,
      created: request.existing === undefined,
      ...(loaded ?? {}),
      ...(written === undefined ? {} : { migration: written.shown }),
      left_out: leftOut,
      reasons: left,
      notes,
      columns
    }
    printAs(io.stdout, format, report, () =>
      tableOf(
        ['column', 'type', 'null', 'example'],
        columns.map(({ name, type, nulls, example }) => ({ column: name, type, null: String(nulls), example }))
      )
    )
    for (const note of notes) print(io.stderr, `${file}: ${note}`)
    for (const { line, reason } of left) print(io.stderr, `${file}:${line}: left out: ${reason}`)
    if (leftOut > left.length) print(io.stderr, `${leftOut - left.length} more rows were left out.`)
    if (loaded !== undefined) {
      const { inserted, updated, repeated } = loaded
      print(
        io.stderr,
        `${inserted} rows are new in \`${table}\`, ${updated} took the place of others${repeated === 0 ? '' : `, and ${repeated} were followed by one with the same key`}.`
      )
      if (written !== undefined)
        print(
          io.stderr,
          `${written.shown} makes the table in other databases; here it counts as run. Commit it.${written.isTyped ? ` It is code to build: \`${buildOf(written.folder, io.env)}\`.` : ''}`
        )
      if (request.existing === undefined)
        print(
          io.stderr,
          keyOfNew(request) === undefined
            ? 'A surface names a row by one column, and this table has none: it has the column `id` of the file, which is not its key.'
            : `Next: \`npx pantry table ${table}\` declares it as a corpus.`
        )
    }
    return leftOut === 0 ? 0 : 1
  }
})
