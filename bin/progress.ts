import type { Progress } from '../core/database/root-services.ts'

const width = 24

type Step = Parameters<Progress>[0] &
  Readonly<{
    /** The rows so far, of work that is measured in rows; shown with the rate per second. */
    rows?: number
  }>

/**
 * Returns a progress reporter: on a terminal a bar with the remaining time, elsewhere a line at the start and after
 * every ten percent, or after every thousand of a step without a total. `writeLine` writes such a line.
 */
export function createProgress(
  stream: NodeJS.WriteStream,
  interactive = stream.isTTY,
  now = () => performance.now(),
  writeLine = (line: string): void => {
    stream.write(`${line}\n`)
  }
): (step: Step) => void {
  let label = ''
  /** The first step of a label, from which rates are computed: when the work before it began is unknown. */
  let first = { at: 0, share: 0, rows: 0 }
  let printed = -1
  return step => {
    // Without a total the amount done is shown.
    const share = step.total === undefined || step.total === 0 ? undefined : Math.min(1, step.done / step.total)
    const { rows } = step
    if (step.label !== label) {
      label = step.label
      first = { at: now(), share: share ?? 0, rows: rows ?? 0 }
      printed = -1
    }
    const seconds = (now() - first.at) / 1000
    const left =
      share === undefined || share === first.share || share === 1
        ? ''
        : `, ${Math.ceil((seconds / (share - first.share)) * (1 - share))} s left`
    const speed =
      rows === undefined || rows === first.rows ? '' : `, ${Math.round((rows - first.rows) / seconds)} a second`
    const rate = rows === undefined ? '' : `, ${rows} rows${speed}`
    const done = share === undefined ? String(step.done) : `${Math.floor(share * 100)} %${rate}${left}`
    if (interactive) {
      const bar = share === undefined ? '' : `[${'#'.repeat(Math.round(share * width)).padEnd(width)}] `
      stream.write(`\r\u001b[K${label} ${bar}${done}${share === 1 ? '\n' : ''}`)
      return
    }
    const tenth = share === undefined ? Math.floor(step.done / 1000) : Math.floor(share * 10)
    if (tenth === printed) return
    printed = tenth
    writeLine(`${label}: ${done}`)
  }
}
