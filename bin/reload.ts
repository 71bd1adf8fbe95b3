import { runInSlices, type SlicedWork } from '../core/canonical/work.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import type { Registry } from '../core/registry/registry.ts'
import { count, messageOf, shownFiles } from './io.ts'
import type { ReadRegistry } from './read-registry.ts'

type ReloadOptions = Readonly<{
  first: ReadRegistry
  read: () => SlicedWork<ReadRegistry>
  /** Serves what was read; resolves when that is served. */
  swap: (read: ReadRegistry & Readonly<{ registry: Registry }>) => Promise<void>
  report: (diagnostics: readonly Diagnostic[]) => void
  say: (line: string) => void
}>

function changedFiles(before: ReadRegistry['files'], after: ReadRegistry['files']): string[] {
  const [old, fresh] = [before, after].map(files => new Map(files.map(({ path, bytes }) => [path, bytes])))
  return [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])]
    .filter(path => old?.get(path) !== fresh?.get(path))
    .sort()
}

type Reload = Readonly<{
  /**
   * Resolves when the outcome is printed. `noticedAt` is on the clock of `performance.now()`. If no file changed, only
   * a reload that a person `asked` for prints that.
   */
  reload: (noticedAt?: number, asked?: boolean) => Promise<void>
  /** Stops a reload that runs, and starts no other. */
  end: () => void
}>

/**
 * Reads manifests and corpora again, a few milliseconds at a time, so that requests wait little. If all are valid they
 * are served from the next request on, else what was served stays. While one reload runs, at most one more is queued.
 */
export function createReload({ first, read, swap, report, say }: ReloadOptions): Reload {
  let served = first.files
  const over = new AbortController()
  const readAgain = async (noticedAt: number, asked: boolean): Promise<void> => {
    const found = await runInSlices(read(), over.signal)
    const changed = changedFiles(served, found.files)
    if (changed.length === 0) {
      if (asked) say('reload: no file has changed')
      return
    }
    report(found.diagnostics)
    if (found.registry === undefined) {
      say(`reload of ${shownFiles(changed)} refused: the last good manifests keep serving`)
      return
    }
    const { registry } = found
    await swap({ ...found, registry })
    served = found.files
    say(
      `reloaded ${shownFiles(changed)} in ${Math.round(performance.now() - noticedAt)} ms: ${count(registry.surfaces.length, 'surface')}`
    )
  }

  type Waiting = { noticedAt: number; asked: boolean; done: Promise<void> }
  let waiting: Waiting | undefined
  let last = Promise.resolve()
  const begin = async (next: Waiting): Promise<void> => {
    await last
    waiting = undefined
    try {
      await readAgain(next.noticedAt, next.asked)
    } catch (error) {
      if (!over.signal.aborted) say(`reload failed, the last good manifests keep serving: ${messageOf(error)}`)
    }
  }
  return {
    reload: (noticedAt = performance.now(), asked = false) => {
      if (waiting === undefined) {
        waiting = { noticedAt, asked, done: last }
        last = waiting.done = begin(waiting)
      } else waiting.asked ||= asked
      return waiting.done
    },
    end: () => {
      over.abort()
    }
  }
}
