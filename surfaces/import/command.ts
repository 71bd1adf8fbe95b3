/** Which sources the command `import` takes, and what it prints of its runs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { count, table, UsageError } from 'pantry/command'
import type { ImportSummary } from './import.ts'
import { refusalOf, type Source } from './source.ts'
import { maxValues } from './survey.ts'
import type { Withdrawals } from './writing/withdraw.ts'

export type ImportChoice = Readonly<{ from?: string; all?: true; conditionsMet?: true }>

/** A source to import, and the folder of its files; `undefined` when they come from a package. */
type Chosen = Readonly<{ source: Source; folder: string | undefined }>

const withWayOn = ({ access }: Source, reason: string): string =>
  access === 'wired'
    ? `${reason} Record it as \`met\` on the source, or give your word with \`--conditions-met\`.`
    : reason

/**
 * Handles `--all`: returns every source with `where: folder` that has a subfolder with its id. Sources that may not be
 * imported are skipped, and `tell` reports why.
 */
function chooseAll(
  sources: readonly Source[],
  from: string | undefined,
  conditionsMet: boolean,
  tell: (line: string) => void
): readonly Chosen[] {
  if (from === undefined) throw new UsageError('`--all` needs `--from`, the folder with one folder for each source.')
  return sources.flatMap(source => {
    const folder = join(from, source.id)
    if (source.where !== 'folder' || !existsSync(folder)) return []
    const reason = refusalOf(source, conditionsMet)
    if (reason !== undefined) tell(`passed over: ${withWayOn(source, reason)}`)
    return reason === undefined ? [{ source, folder }] : []
  })
}

/**
 * Returns the sources to import: those named on the command line, those of `--all`, or without both every source that
 * comes as a package and may be imported. Throws a UsageError when the request is wrong.
 */
export function chooseSources(
  sources: ReadonlyMap<string, Source>,
  names: readonly string[],
  { from, all, conditionsMet }: ImportChoice,
  tell: (line: string) => void
): readonly Chosen[] {
  const met = conditionsMet === true
  if (from !== undefined && !existsSync(from)) throw new UsageError(`There is no folder \`${from}\`.`)
  if (all === true) {
    if (names.length > 0) throw new UsageError('`--all` takes every source: name none.')
    return chooseAll([...sources.values()], from, met, tell)
  }
  if (from !== undefined && names.length !== 1)
    throw new UsageError('`--from` is the folder of one source: name that source, or say `--all`.')
  if (names.length === 0) {
    return [...sources.values()]
      .filter(source => source.where === 'package' && refusalOf(source, met) === undefined)
      .map(source => ({ source, folder: undefined }))
  }
  return names.map(name => {
    const source = sources.get(name)
    if (source === undefined)
      throw new UsageError(`There is no source \`${name}\`. Sources: ${[...sources.keys()].join(', ')}.`)
    const reason = refusalOf(source, met)
    if (reason !== undefined) throw new UsageError(withWayOn(source, reason))
    if (source.where === 'folder' && from === undefined)
      throw new UsageError(`Source \`${name}\` does not come as a package: name its folder with \`--from\`.`)
    return { source, folder: from }
  })
}

const maxWidth = 60
const short = (text: string, most = maxWidth): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/**
 * Formats the survey of a dry run: the rows read and lost, how many rows have each declared field, the first rows, and
 * the rows left out with reasons.
 */
export function surveyText({
  source,
  survey,
  refusals
}: Pick<ImportSummary, 'source' | 'survey' | 'refusals'>): string {
  if (survey === undefined) return ''
  const { files, rows, passed_over: passedOver, lost, mapped, fields, unused, examples } = survey
  const doubts = [
    ...fields.flatMap(({ field, doubt }) => (doubt === null ? [] : [[field, doubt]])),
    ...unused.map(({ at, doubt }) => [at, doubt])
  ]
  return [
    `${source}: ${count(rows, 'row')} in ${count(files, 'file')}, ${mapped} mapped, ${rows - mapped} not${passedOver === 0 ? '' : `; ${passedOver} more passed over`}`,
    ...lost.map(one => `${count(one.rows, 'row')} lost at loop \`${one.loop}\`: nothing to run over`),
    '',
    table(
      ['', 'FIELD', 'FILLED', 'SHARE', 'DISTINCT', 'SAMPLES'],
      fields.map(({ field, filled, share, distinct, samples, doubt }) => [
        doubt === null ? '' : '!',
        field,
        String(filled),
        percent(share),
        distinct < maxValues ? String(distinct) : `${distinct}+`,
        samples.map(sample => short(sample, 30)).join(' · ')
      ])
    ),
    ...(doubts.length === 0
      ? []
      : [
          table(
            ['!', 'LOOK AT', ''],
            doubts.map(row => ['!', ...row])
          )
        ]),
    table(
      ['NATIVE ID', 'SKU', 'NAME'],
      examples.map(({ native_id: id, sku, row }) => [short(id), sku, short(row.name ?? '')])
    ),
    ...(refusals.length === 0
      ? []
      : [
          table(
            ['LEFT OUT', 'ROWS', 'NATIVE ID', 'BESIDE', 'SKU'],
            refusals.flatMap(({ reason, rows: refused, examples: some }) =>
              some.map(({ native_id: id, other_native_id: other, sku }, index) => [
                index === 0 ? reason : '',
                index === 0 ? String(refused) : '',
                short(id),
                short(other ?? ''),
                sku ?? ''
              ])
            )
          )
        ])
  ].join('\n')
}

/** Formats the cards that an import withdraws as a table: SKU, reason and successor. Empty when there are none. */
export function withdrawalsText(source: string, { cards, examples }: Withdrawals): string {
  if (cards === 0) return ''
  const rest = cards - examples.length
  return [
    `${source}: ${count(cards, 'card')} that no source lists any more`,
    '',
    table(
      ['WITHDRAWN', 'REASON', 'NOW'],
      examples.map(({ sku, reason, successor }) => [sku, reason, successor ?? ''])
    ),
    ...(rest === 0 ? [] : [`and ${rest} more`])
  ].join('\n')
}

const rate = (rows: number, milliseconds: number): string =>
  milliseconds === 0 ? '' : String(Math.round((rows / milliseconds) * 1000))
const counted = ['read', 'written', 'unchanged', 'quarantined'] as const
type Counts = Pick<ImportSummary, (typeof counted)[number] | 'duration_ms'>

const cells = (counts: Counts): string[] => [
  ...counted.map(name => String(counts[name])),
  (counts.duration_ms / 1000).toFixed(1),
  rate(counts.read, counts.duration_ms)
]
const sum = (runs: readonly Counts[], of: keyof Counts): number => runs.reduce((so, run) => so + run[of], 0)

/** The table's last line, with the sums of all runs. */
const total = (runs: readonly ImportSummary[]): string[] => [
  `${runs.length} sources`,
  ...cells({
    read: sum(runs, 'read'),
    written: sum(runs, 'written'),
    unchanged: sum(runs, 'unchanged'),
    quarantined: sum(runs, 'quarantined'),
    duration_ms: sum(runs, 'duration_ms')
  }),
  ''
]

/**
 * Formats import runs as a table with a sum, followed by the reasons why rows were left out, the attributes that cards
 * were kept without, and the values that look like something never stored.
 */
export function runsText(runs: readonly ImportSummary[]): string {
  const reasons = runs.flatMap(({ source, refusals }) =>
    refusals.map(({ reason, rows }) => [source, String(rows), reason])
  )
  const head = table(
    ['SOURCE', 'READ', 'WRITTEN', 'UNCHANGED', 'LEFT OUT', 'SECONDS', 'ROWS/S', 'RUN'],
    [...runs.map(run => [run.source, ...cells(run), String(run.run)]), ...(runs.length > 1 ? [total(runs)] : [])]
  )
  const values = runs.flatMap(({ source, look_alikes: found }) =>
    found.flatMap(({ field, form, rows, first }) => [
      ...first.map(({ row, value }) => [source, field, form, value, row]),
      ...(rows > first.length ? [[source, field, form, `and ${rows - first.length} more`, '']] : [])
    ])
  )
  const odd = runs.flatMap(({ source, odd_attributes: found }) =>
    found.flatMap(({ attribute, reason, rows, first }) =>
      first.map(({ row, value }, at) => [source, at === 0 ? String(rows) : '', attribute, reason, value, row])
    )
  )
  return [
    head,
    ...(reasons.length === 0 ? [] : [table(['SOURCE', 'LEFT OUT', 'REASON'], reasons)]),
    ...(odd.length === 0 ? [] : [table(['SOURCE', 'CARDS', 'WITHOUT', 'REASON', 'VALUE', 'ROW'], odd)]),
    ...(values.length === 0 ? [] : [table(['SOURCE', 'FIELD', 'LOOKS LIKE', 'VALUE', 'ROW'], values)])
  ].join('\n')
}
