import type { Progress } from '../core/handler/root-services.ts'

const width = 24

/** A bar with rate and time left on a terminal; elsewhere a plain line at the start, every ten percent, and the end. */
export function createProgress (stream: NodeJS.WriteStream, interactive = stream.isTTY): Progress {
  let label = ''
  let startedAt = 0
  let printed = -1
  return step => {
    if (step.label !== label) {
      label = step.label
      startedAt = performance.now()
      printed = -1
    }
    const seconds = (performance.now() - startedAt) / 1000
    const share = step.total === undefined || step.total === 0 ? undefined : Math.min(1, step.done / step.total)
    const rate = seconds > 0 ? Math.round(step.done / seconds) : 0
    if (interactive) {
      const bar = share === undefined ? '' : `[${'#'.repeat(Math.round(share * width)).padEnd(width)}] `
      const left = share === undefined || share === 0 || share === 1 ? '' : `, ${Math.ceil(seconds / share - seconds)} s left`
      stream.write(`\r\u001b[K${label} ${bar}${step.done}${step.total === undefined ? '' : `/${step.total}`} (${rate}/s${left})${share === 1 ? '\n' : ''}`)
      return
    }
    const tenth = share === undefined ? Math.floor(step.done / 1000) : Math.floor(share * 10)
    if (tenth === printed) return
    printed = tenth
    stream.write(`${label}: ${step.done}${step.total === undefined ? '' : ` of ${step.total}`}${seconds > 0 && step.done > 0 ? `, ${rate}/s` : ''}\n`)
  }
}
