import { readRegistry } from '../../../bin/read-registry.ts'
import { loadRoots } from '../../../bin/roots.ts'
import type { Registry } from '../../../core/registry/registry.ts'

const { registry: loaded, diagnostics } = readRegistry(await loadRoots([]))
if (loaded === undefined) throw new Error(`The roots have ${diagnostics.length} mistakes; \`pantry validate\` shows them.`)

export const registry: Registry = loaded

/** The entries of a corpus in their declared order. */
export function entriesOf (name: string): readonly unknown[] {
  const corpus = registry.corpora.get(name)
  if (corpus === undefined) throw new Error(`There is no corpus ${name}.`)
  return corpus.entries
}

export function documentOf (name: string): unknown {
  const document = registry.documents.get(name)
  if (document === undefined) throw new Error(`There is no document ${name}.`)
  return document.value
}
