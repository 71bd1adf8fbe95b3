import { resolve } from 'node:path'
import {
  againOnChange,
  Argument,
  choice,
  createProgress,
  defineCommand,
  FindingsError,
  Option,
  print,
  printJson,
  readableCorpus,
  requireCorpus,
  rootOption,
  showProblems,
  UsageError,
  withDatabase,
  type Io,
  type RootOptions
} from 'pantry/command'
import type { EntryProblem } from 'pantry/data'
import type { Attribute } from '../cards/attributes.ts'
import type { ListFormat } from '../command.ts'
import { chooseSources, runsText, surveyText, withdrawalsText, type ImportChoice } from '../import/command.ts'
import type { ImportSummary } from '../import/import.ts'
import { proofsText } from '../import/proving/command.ts'
import type { Proving } from '../import/proving/prove.ts'
import { TooManyWithdrawn, unasked } from '../import/writing/withdraw.ts'

type Options = RootOptions &
  ImportChoice & {
    dryRun?: true
    watch?: true
    allowWithdraw?: number
    forget?: string
    prove?: true
    format: ListFormat
  }

/** Carries out `--forget`, also for a source that is no longer declared. */
async function forget(
  source: string,
  names: readonly string[],
  { root, from, all, dryRun, prove, format }: Options,
  io: Io
): Promise<0> {
  if (names.length > 0 || from !== undefined || all === true || prove === true)
    throw new UsageError('`--forget` names the one source: leave out names, `--from`, `--all` and `--prove`.')
  const { forgetSource } = await import('../importer.ts')
  const { heldSources } = await import('../import/forget.ts')
  const withdrawals = await withDatabase(io, root, async database => {
    const held = await heldSources(database)
    if (!held.includes(source))
      throw new UsageError(`Nothing is held of a source \`${source}\`. Held: ${held.join(', ')}.`)
    return await forgetSource(database, source, { dryRun: dryRun === true })
  })
  if (format === 'json') printJson(io.stdout, withdrawals)
  else print(io.stdout, withdrawalsText(source, withdrawals))
  print(io.stderr, dryRun === true ? 'dry run: nothing was written' : `forgotten: ${source}`)
  return 0
}

/**
 * Converts an error of data or of a missing package to problems of the entry of the source; rethrows any other error.
 */
async function dataProblems(error: unknown): Promise<readonly EntryProblem[]> {
  const { DataError, FileProblem } = await import('../import/data-error.ts')
  if (error instanceof DataError) return error.problems
  if (error instanceof FileProblem)
    return [
      {
        pointer: ['upstream', 'package'],
        message: error.message,
        hint: 'Install it with npm, or name its folder with `--from`.'
      }
    ]
  throw error
}

/**
 * Imports the requested sources, one after the other. Errors in the data of one, or too many withdrawn cards, are
 * printed and do not prevent the import of the others.
 */
async function importChosen(names: readonly string[], options: Options, io: Io) {
  const { loadSources } = await import('../import/open.ts')
  const attributes = (await requireCorpus(options.root, 'attributes', io)) as readonly Attribute[]
  const policies = await requireCorpus(options.root, 'source-policies', io)
  const { entries, broken } = await readableCorpus(options.root, 'sources', io)
  if (names.some(name => broken.includes(name)))
    throw new FindingsError('Nothing is imported: what was asked for has mistakes.')
  const chosen = chooseSources(loadSources(entries, policies, attributes), names, options, line => {
    print(io.stderr, line)
  })
  let isWhole = names.length > 0 || broken.length === 0

  const { importSource } = await import('../importer.ts')
  const { packageFolder } = await import('../import/reading/files.ts')
  const { prove } = await import('../import/proving/prove.ts')
  const tell = createProgress(io.stderr)
  const runs: ImportSummary[] = []
  const proofs: Proving[] = []
  await withDatabase(io, options.root, async database => {
    for (const { source, folder } of chosen) {
      try {
        const files =
          folder === undefined ? packageFolder(source.upstream.package ?? '', import.meta.url) : resolve(folder)
        const run = await importSource(database, source, {
          folder: files,
          dryRun: options.dryRun === true,
          conditionsMet: options.conditionsMet === true,
          ...(options.allowWithdraw === undefined ? {} : { allowWithdraw: options.allowWithdraw }),
          progress: ({ source: label, rows, fraction }) => {
            tell({ label, done: Math.round(fraction * 1000), total: 1000, rows })
          }
        })
        runs.push(run)
        if (options.prove === true) {
          const { run: id, snapshot } = run
          proofs.push(await prove(database, source, { run: id, snapshot, folder: files }))
        }
      } catch (error) {
        isWhole = false
        if (error instanceof TooManyWithdrawn)
          print(io.stderr, `${withdrawalsText(source.id, error.withdrawals)}\nerror: ${error.message}`)
        else {
          const problems = await dataProblems(error)
          await showProblems(options.root, 'sources', ({ id }) => (id === source.id ? problems : []), io)
        }
        print(io.stderr, `${source.id}: nothing was imported`)
      }
    }
  })
  return { runs, proofs, isWhole }
}

async function importOnce(names: readonly string[], options: Options, io: Io): Promise<0 | 1> {
  const { runs, proofs, isWhole } = await importChosen(names, options, io)
  if (options.format === 'json')
    printJson(
      io.stdout,
      options.prove === true
        ? runs.map(run => ({ ...run, proof: proofs.find(({ source }) => source === run.source) ?? null }))
        : runs
    )
  else {
    for (const run of runs) print(io.stdout, surveyText(run))
    for (const run of runs) print(io.stdout, withdrawalsText(run.source, run.withdrawals))
    if (runs.length > 0) print(io.stdout, runsText(runs))
    if (proofs.length > 0) print(io.stdout, proofsText(proofs))
  }
  if (options.dryRun === true) print(io.stderr, 'dry run: nothing was written')
  return isWhole && proofs.every(({ verdict }) => verdict !== 'different') ? 0 : 1
}

// The command has a name because TypeScript 5.9 does not rewrite the extensions of `import('….ts')` inside an `export
// default`.
const importCommand = defineCommand<[names: string[]], Options>({
  name: 'import',
  summary: 'Import sources into the database.',
  description: [
    'Imports each source in one transaction, all or nothing; importing the same data again changes nothing.',
    'Without a name: every wired source that comes as a package; with `--all`: every one with a folder below `--from`. Progress is on stderr, the runs on stdout.'
  ],
  arguments: [new Argument('[source...]', 'Ids of the corpus `sources`.')],
  options: [
    rootOption(),
    new Option(
      '--from <dir>',
      'Folder to read one source from, instead of its package; with `--all`, the folder of their folders.'
    ),
    new Option('--all', 'Every wired source that has a folder below `--from`.'),
    new Option(
      '--dry-run',
      'Do everything and take it back: nothing is written. Shows what was read, how full each field is, what was refused, and which cards would disappear.'
    ),
    new Option(
      '--watch',
      'With `--dry-run`: again whenever a declaration or a file below `--from` has changed, until Ctrl-C.'
    ),
    new Option(
      '--allow-withdraw <cards>',
      `Your word that so many cards may disappear. Without it an import stops that would withdraw more than ${unasked.cards} cards and more than ${unasked.share * 100} % of those of its source.`
    ).argParser(Number),
    new Option(
      '--prove',
      'Then let a second reader, a program of Python 3, read the files too and compare every row that is held. Its verdict is on the page of the source.'
    ),
    new Option(
      '--forget <source>',
      'Take back all that a source said, with its runs, as if it had never been imported.'
    ),
    new Option(
      '--conditions-met',
      'Your word that what the upstream asks for is done; better recorded as `met` on the source.'
    ),
    choice('--format <format>', 'Form of the list of runs.', ['table', 'json'], 'table')
  ],
  examples: [
    [
      'pantry import lorcana-data --from ../lorcana-data --dry-run --watch',
      'What the import of a folder would change; with --watch after every change of its declaration.'
    ],
    ['pantry import --forget swu-json --dry-run', 'Which cards would go with a source.'],
    [
      'pantry import --all --from ../cards --conditions-met --prove',
      'All sources that are there, each read twice; you give your word for those that ask for something.'
    ]
  ],
  exits: {
    1: 'A declaration, or the files of a source, have mistakes, more cards would disappear than may, or a second reader found something else; the other sources are imported.',
    3: 'The database cannot be started or reached, or the disk cannot be read.'
  },
  async run([names], options, io) {
    if (options.forget !== undefined) return await forget(options.forget, names, options, io)
    if (options.allowWithdraw !== undefined && !(options.allowWithdraw >= 0))
      throw new UsageError('`--allow-withdraw` takes a number of cards.')
    if (options.prove === true && options.dryRun === true)
      throw new UsageError('`--prove` compares what is held, and a dry run holds nothing: leave out one of them.')
    if (options.watch !== true) return await importOnce(names, options, io)
    if (options.dryRun !== true) throw new UsageError('`--watch` goes with `--dry-run`.')
    return await againOnChange(options.root, options.from === undefined ? [] : [resolve(options.from)], io, () =>
      importOnce(names, options, io)
    )
  }
})

export default importCommand
