import { cpus, totalmem } from 'node:os'
import type { Figure } from './figures.ts'

/** One run of the bench, as `--json` writes it; `docs/bench.json` is one of them. */
export type Recorded = Readonly<{
  /** `YYYY-MM-DD`. */
  date: string
  /** Class of the machine: its cores, memory and Node. */
  machine: string
  rounds: number
  figures: readonly Figure[]
}>

const machineClass = (): string => `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`

/** Numbers with as many digits as they mean. */
const rounded = (_: string, value: unknown): unknown => typeof value === 'number' ? Number(value.toPrecision(4)) : value

export const recorded = (figures: readonly Figure[], rounds: number): Recorded =>
  JSON.parse(JSON.stringify({ date: new Date().toISOString().slice(0, 10), machine: machineClass(), rounds, figures }, rounded)) as Recorded

/** JSON with one figure on each line. */
export const recordText = ({ figures, ...rest }: Recorded): string =>
  `${JSON.stringify(rest).slice(0, -1)},"figures":[\n${figures.map(figure => JSON.stringify(figure)).join(',\n')}\n]}\n`
