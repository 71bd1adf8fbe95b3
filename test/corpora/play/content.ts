import { registryOf } from '../../support/registry.ts'

export const { registry } = await registryOf()

/** The entries of a corpus in their declared order. */
export function entriesOf(name: string): readonly unknown[] {
  const corpus = registry.corpora.get(name)
  if (corpus === undefined) throw new Error(`There is no corpus ${name}.`)
  return corpus.entries
}

export function documentOf(name: string): unknown {
  const document = registry.documents.get(name)
  if (document === undefined) throw new Error(`There is no document ${name}.`)
  return document.value
}
