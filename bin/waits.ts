import { relative } from 'node:path'
import { OperatorFault } from '../core/database/fault.ts'

/** The code that has begun and not ended, each with its file. Code of a file may run code of the same file. */
const running = new Set<Readonly<{ file: string }>>()

const shown = (file: string): string => relative(process.cwd(), file)

const fix = 'Look for a promise that is neither resolved nor rejected.'

/** The fault of a process that ends because nothing is left to run, while code still waits. */
export function unsettled(): OperatorFault {
  const names = [...new Set([...running].map(({ file }) => shown(file)))].join(', ')
  return new OperatorFault('O901', `${names || 'Code'} waits for what never comes.`, fix)
}

/** Milliseconds until a line says what is waited for. The next lines come after twice the time each. */
const lineMs = 10_000

let tell = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** Sets what receives a line about each file whose code takes long. Default: stderr. */
export function tellOfWaits(write: (line: string) => void): void {
  tell = write
}

/** Runs code of a file, which is named while it takes long. A migration may take as long as it likes. */
export const named = <T>(file: string, work: () => T | Promise<T>): Promise<T> => namedWork(file, work, () => undefined)

/** As `named`, for code that may say itself how far it is: then it is not named as well. */
export async function namedWork<T, S>(
  file: string,
  work: (progress: (step: S) => void) => T | Promise<T>,
  progress: (step: S) => void
): Promise<T> {
  let [times, what] = [0, 'is not done after']
  const timer = setInterval(() => {
    times += 1
    if ((times & (times - 1)) === 0) tell(`${shown(file)} ${what} ${(times * lineMs) / 1000} s.`)
  }, lineMs).unref()
  const run = { file }
  running.add(run)
  try {
    return await work(step => {
      times = 0
      what = 'has not gone on for'
      timer.refresh()
      progress(step)
    })
  } finally {
    running.delete(run)
    clearInterval(timer)
  }
}

const late = (file: string, ms: number): OperatorFault =>
  new OperatorFault('O901', `${shown(file)} is not done after ${ms / 1000} s.`, fix)

/** Runs code of a file that has a limit of time. */
export async function namedWithin<T>(file: string, ms: number, work: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(late(file, ms))
    }, ms).unref()
  })
  try {
    return await Promise.race([named(file, work), over])
  } finally {
    clearTimeout(timer)
  }
}
