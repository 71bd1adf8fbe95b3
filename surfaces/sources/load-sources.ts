import type { JsonObject } from '../../core/canonical/json.ts'
import { compileMap } from './map-row.ts'
import type { Source } from './source.ts'

/**
 * The sources by id, from the entries of the corpus `sources` (already checked against its schema). Checks what a schema cannot say: patterns
 * compile, lookups name declared tables, a wired source has a reader. Throws an Error naming the source at fault.
 */
export function loadSources (entries: readonly JsonObject[]): ReadonlyMap<string, Source> {
  const sources = new Map<string, Source>()
  for (const entry of entries) {
    const source = entry as unknown as Source
    try {
      if (source.access === 'wired' && source.reader === undefined) throw new Error('A source that is `wired` needs a `reader`.')
      if (source.reader !== undefined) compileMap(source.reader.map, new Map(Object.keys(source.reader.tables ?? {}).map(name => [name, new Map()])))
    } catch (error) {
      throw new Error(`Source \`${source.id}\`: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
    sources.set(source.id, source)
  }
  return sources
}
