import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { benchDigests } from '../../bin/release/bench-record.ts'
import { packageFolder } from '../../bin/project.ts'
import type { Figure } from './figures.ts'

/** One run of the bench, as `--json` writes it; `docs/bench.json` is one of them. */
export type Recorded = Readonly<{
  /** `YYYY-MM-DD`. */
  date: string
  /** What git calls the code that was measured, with `-dirty` where files differed from it. */
  commit: string
  /** Hashes of the bench with its candidates, and of the code that each request runs through. */
  bench: string
  code: string
  /** Class of the machine: its cores, memory and Node. */
  machine: string
  rounds: number
  /** Names of all scenarios and other parts that ran. */
  scenarios: readonly string[]
  figures: readonly Figure[]
}>

const machineClass = (): string =>
  `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`

/** Numbers with as many digits as they mean. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value

const commitOf = (): string => {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
      cwd: packageFolder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    }).trim()
  } catch {
    return 'unknown'
  }
}

export const recorded = (figures: readonly Figure[], rounds: number): Recorded =>
  JSON.parse(
    JSON.stringify(
      {
        date: new Date().toISOString().slice(0, 10),
        commit: commitOf(),
        ...benchDigests(),
        machine: machineClass(),
        rounds,
        scenarios: [...new Set(figures.map(({ scenario }) => scenario))],
        figures
      },
      rounded
    )
  ) as Recorded

/** What the README says of a run, and where it says it. */
export const runText = ({ rounds, date, commit, machine }: Recorded): string =>
  `${rounds} rounds on ${date} at commit ${commit}, ${machine}`
export const runTextIn = /\d+ rounds on \d{4}-\d\d-\d\d(?: at commit [\w-]+)?, .*?, Node \d+\.\d+\.\d+/

/** JSON with one figure on each line. */
export const recordText = ({ figures, ...rest }: Recorded): string =>
  `${JSON.stringify(rest).slice(0, -1)},"figures":[\n${figures.map(figure => JSON.stringify(figure)).join(',\n')}\n]}\n`
