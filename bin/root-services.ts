import type { OpenServices } from '../core/database/root-services.ts'
import type { RootModule } from './root-modules.ts'
import { runOf } from './stack-traces.ts'
import { namedWithin, namedWork } from './waits.ts'

/** Milliseconds for the services of a root to open, in which a database may be made. */
const openMs = 120_000

/**
 * Returns a function that opens the services. It imports them only then, because reading manifests needs no database
 * driver.
 */
export const servicesOf = (module: RootModule | undefined): OpenServices | undefined =>
  module === undefined
    ? undefined
    : given =>
        runOf(module.file, async () => {
          const { default: open } = (await module.load()) as { default: OpenServices }
          const { prepare, ...opened } = await namedWithin(module.file, openMs, () => open(given))
          return prepare === undefined
            ? opened
            : { ...opened, prepare: progress => runOf(module.file, () => namedWork(module.file, prepare, progress)) }
        })
