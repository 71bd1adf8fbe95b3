import { once } from 'node:events'
import { FindingsError, type ExitCode } from './output/exit.ts'
import { print, type Io } from './output/io.ts'
import { contentRoots } from './roots.ts'
import { stopRequest } from './stop-request.ts'
import { watchFolders } from './watch.ts'

/**
 * Runs `work` once, and again after each change of a file of the named roots or below the `folders`, until SIGINT or
 * SIGTERM. Continues after a `FindingsError`; any other error ends it.
 */
export async function againOnChange(
  names: readonly string[],
  folders: readonly string[],
  io: Io,
  work: () => Promise<ExitCode>
): Promise<0> {
  const stop = stopRequest(io.signals)
  const changes = new EventTarget()
  let isChanged = true
  const watcher = watchFolders(
    (await contentRoots(names)).map(({ folder }) => folder),
    () => {
      isChanged = true
      changes.dispatchEvent(new Event('change'))
    },
    {
      folders,
      failed: error => {
        print(io.stderr, String(error))
      }
    }
  )
  try {
    while (!stop.aborted) {
      if (isChanged) {
        isChanged = false
        await work().catch((error: unknown) => {
          if (!(error instanceof FindingsError)) throw error
          print(io.stderr, error.message)
        })
        print(io.stderr, 'waiting for a change; Ctrl-C ends')
      } else {
        await once(changes, 'change', { signal: stop }).catch(() => undefined)
      }
    }
    return 0
  } finally {
    watcher.close()
  }
}
