import type { JsonObject, ServicesPart } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { Attribute } from '../cards/attributes.ts'
import { checkDeclaration } from './checks/check-source.ts'
import type { ImportBundled, ImportSummary } from './import.ts'
import { withPolicies, type DeclaredSource, type Source } from './source.ts'

/**
 * Returns the sources by id, from entries of the corpus `sources` that its schema has already checked. Throws an Error
 * that names the source when a declaration cannot work. Only the check of the corpus (`checkSource`) examines whether
 * patterns run in linear time and attributes are declared. `policies` and `attributes` are the entries of the corpora
 * `source-policies` and `attributes`; without `attributes`, the attributes of rows are not checked.
 */
export function loadSources(
  entries: readonly JsonObject[],
  policies: readonly JsonObject[],
  attributes?: readonly Attribute[]
): ReadonlyMap<string, Source> {
  const sources = new Map<string, Source>()
  for (const entry of entries) {
    // The schema of the corpus describes a `DeclaredSource`, and the entries were checked against it.
    const {
      source,
      missing: [missing]
    } = withPolicies(entry as DeclaredSource, policies)
    const problem =
      missing === undefined ? checkDeclaration(source, () => true)[0]?.message : `Nothing states \`${missing}\`.`
    if (problem !== undefined) throw new Error(`Source \`${source.id}\`: ${problem}`)
    sources.set(source.id, attributes === undefined ? source : { ...source, attributes })
  }
  return sources
}

const formatCount = (number: number): string => number.toLocaleString('en')

type RunCounts = Pick<ImportSummary, 'source' | 'written' | 'unchanged' | 'quarantined'> &
  Readonly<{ withdrawals: Pick<ImportSummary['withdrawals'], 'cards'> }>

/** Describes the result of one import in a sentence: `15,590 cards of flesh-and-blood-cards; 1 row left out`. */
export function runSentence({ source, written, unchanged, quarantined, withdrawals }: RunCounts): string {
  const kept = written + unchanged
  const changed = unchanged === 0 ? '' : `, ${written === 0 ? 'none' : formatCount(written)} of them new or changed`
  const leftOut =
    quarantined === 0 ? '' : `; ${formatCount(quarantined)} ${quarantined === 1 ? 'row' : 'rows'} left out`
  const withdrawn = withdrawals.cards === 0 ? '' : `; ${formatCount(withdrawals.cards)} withdrawn`
  return `${formatCount(kept)} ${kept === 1 ? 'card' : 'cards'} of ${source}${changed}${leftOut}${withdrawn}`
}

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
