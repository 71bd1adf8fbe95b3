import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Argument, Option } from 'commander'
import type { RunSummary } from '../../surfaces/sources/import.ts'
import { refusalOf } from '../../surfaces/sources/refusal.ts'
import type { Source } from '../../surfaces/sources/source.ts'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { UsageError } from '../config.ts'
import { print, printJson } from '../output/io.ts'
import { surveyText } from '../output/survey.ts'
import { table } from '../output/table.ts'

const formats = ['table', 'json'] as const

type Options = RootOptions & { from?: string, dryRun?: true, conditionsMet?: true, format: typeof formats[number] }

/** The sources asked for; without names, all that are wired and come as packages. */
function choose (sources: ReadonlyMap<string, Source>, names: readonly string[], { from, conditionsMet: met }: Options): readonly Source[] {
  const conditionsMet = met === true
  if (from !== undefined && names.length !== 1) throw new UsageError('`--from` is the folder of one source: name that source.')
  if (from !== undefined && !existsSync(from)) throw new UsageError(`There is no folder \`${from}\`.`)
  if (names.length === 0) return [...sources.values()].filter(source => source.where === 'package' && refusalOf(source, conditionsMet) === undefined)
  return names.map(name => {
    const source = sources.get(name)
    if (source === undefined) throw new UsageError(`There is no source \`${name}\`. Sources: ${[...sources.keys()].join(', ')}.`)
    const reason = refusalOf(source, conditionsMet)
    if (reason !== undefined) throw new UsageError(`${reason}${source.access === 'wired' ? ' Record it as `met` on the source, or give your word with `--conditions-met`.' : ''}`)
    if (source.where === 'folder' && from === undefined) throw new UsageError(`Source \`${name}\` does not come as a package: name its folder with \`--from\`.`)
    return source
  })
}

const row = ({ source, read, written, unchanged, quarantined, duration_ms: duration, run }: RunSummary): string[] =>
  [source, ...[read, written, unchanged, quarantined].map(String), (duration / 1000).toFixed(1), String(run)]

export const importCommand = defineCommand<[names: string[]], Options>({
  name: 'import',
  summary: 'Import sources into the database.',
  description: [
    'Imports each source in one transaction, all or nothing; importing the same data again changes nothing.',
    'Without a name every wired source that comes as a package is imported. Progress is on stderr, the runs on stdout.'
  ],
  arguments: [new Argument('[source...]', 'Ids of the corpus `sources`.')],
  options: [
    rootOption(),
    new Option('--from <dir>', 'Folder to read one source from, instead of its package.'),
    new Option('--dry-run', 'Do everything and take it back: nothing is written. Shows what was read, how full each field is, and what was refused.'),
    new Option('--conditions-met', 'Your word that what the upstream asks for is done; better recorded as `met` on the source.'),
    choice('--format <format>', 'Form of the list of runs.', formats, 'table')
  ],
  examples: [
    ['pantry import', 'All bundled sources.'],
    ['pantry import pokemon-tcg-pocket-database --dry-run', 'What one import would change.'],
    ['pantry import lorcana-data --from ../lorcana-data', 'A source whose files are in a folder.']
  ],
  exits: { 1: 'The manifests have errors.', 3: 'The database cannot be started or reached, or a file cannot be read.' },
  async run ([names], options, io) {
    const { requireRegistry } = await import('../require-registry.ts')
    const { loadSources } = await import('../../surfaces/sources/load-sources.ts')
    const { registry } = await requireRegistry(options.root, io)
    const chosen = choose(loadSources(registry.corpora.get('sources')?.entries ?? []), names, options)

    const { withDatabase } = await import('../with-database.ts')
    const { importSource } = await import('../../surfaces/sources/import.ts')
    const { packageFolder } = await import('../../surfaces/sources/find-files.ts')
    const { migrate } = await import('../../migrations/index.ts')
    const { createProgress } = await import('../progress.ts')
    const tell = createProgress(io.stderr)
    const runs = await withDatabase(io, async database => {
      await migrate(database.bulk)
      const made: RunSummary[] = []
      for (const source of chosen) {
        const folder = options.from === undefined ? packageFolder(source.upstream.package ?? '', import.meta.url) : resolve(options.from)
        made.push(await importSource(database, source, {
          folder,
          dryRun: options.dryRun === true,
          conditionsMet: options.conditionsMet === true,
          progress: ({ source: label, fraction }) => { tell({ label, done: Math.round(fraction * 100), total: 100 }) }
        }))
      }
      return made
    })
    if (options.format === 'json') printJson(io.stdout, runs)
    else {
      for (const run of runs) print(io.stdout, surveyText(run))
      print(io.stdout, table(['SOURCE', 'READ', 'WRITTEN', 'UNCHANGED', 'QUARANTINED', 'SECONDS', 'RUN'], runs.map(row)))
    }
    if (options.dryRun === true) print(io.stderr, 'dry run: nothing was written')
    return 0
  }
})
