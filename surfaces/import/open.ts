import type { JsonObject, ServicesPart } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { Attribute } from '../catalogue/attribute.ts'
import type { ImportSummary } from './import.ts'
import type { ImportBundled } from './import-bundled.ts'
import { loadSources } from './load-sources.ts'

/** The entries of the corpora `sources`, `source-policies` and `attributes`. */
type Corpora = Readonly<{
  sources: readonly JsonObject[]
  policies: readonly JsonObject[]
  attributes: readonly Attribute[]
}>

/** Creates the import services. `imported` is called for every bundled source that was imported during `prepare`. */
export function openImport(
  database: Database,
  { sources: entries, policies, attributes }: Corpora,
  importBundled: ImportBundled,
  imported: (run: ImportSummary) => void
) {
  const sources = loadSources(entries, policies, attributes)
  return {
    services: {
      /** The registered sources by id. */
      sources
    },
    prepare: async progress => {
      const runs = await importBundled(database, sources.values(), {
        progress: ({ source, fraction }) => {
          progress({ label: source, done: Math.round(fraction * 100), total: 100 })
        }
      })
      for (const run of runs) imported(run)
    }
  } satisfies ServicesPart<unknown>
}
