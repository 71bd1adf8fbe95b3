import { existsSync } from 'node:fs'
import { Session, type Profiler } from 'node:inspector'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Coverage of this process. */
export type Coverage = Readonly<{
  /** The files whose functions ran since the last call, by their paths from the top of the sources. */
  take: () => Promise<ReadonlySet<string>>
  stop: () => void
}>

/** What is loaded runs as one function, from the first character of a file to its last. */
const isWholeFile = ({ functionName, ranges: [whole] }: Profiler.FunctionCoverage): boolean =>
  functionName === '' && whole?.startOffset === 0

/** Counts calls from now on. `compiled` is the folder of what runs, `sources` that of what it was made of. */
export async function startCoverage(compiled: string, sources: string): Promise<Coverage> {
  const session = new Session()
  session.connect()
  await new Promise<void>((resolve, reject) => {
    session.post('Profiler.enable')
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false }, error => {
      if (error === null) resolve()
      else reject(error)
    })
  })
  const sourceOf = (url: string): string | undefined => {
    if (!url.startsWith('file:')) return undefined
    const stem = relative(compiled, fileURLToPath(url)).replace(/\.js$/, '')
    return ['.ts', '.tsx'].map(ending => stem + ending).find(file => existsSync(join(sources, file)))
  }
  return {
    take: () =>
      new Promise((resolve, reject) => {
        session.post('Profiler.takePreciseCoverage', (error, { result }) => {
          if (error !== null) reject(error)
          const ran = result.filter(({ functions }) =>
            functions.some(one => !isWholeFile(one) && one.ranges.some(({ count }) => count > 0))
          )
          resolve(new Set(ran.map(({ url }) => sourceOf(url)).filter(file => file !== undefined)))
        })
      }),
    stop: () => {
      session.disconnect()
    }
  }
}

/**
 * The files that run in each of several requests: what a timer runs beside one of them does not count, nor what only
 * the first one loads.
 */
export async function filesOf(
  coverage: Coverage,
  requests: readonly (() => Promise<unknown>)[]
): Promise<readonly string[]> {
  let common: ReadonlySet<string> | undefined
  for (const request of requests) {
    await coverage.take()
    await request()
    const ran = await coverage.take()
    common = common === undefined ? ran : new Set([...common].filter(file => ran.has(file)))
  }
  return [...(common ?? [])].sort()
}
