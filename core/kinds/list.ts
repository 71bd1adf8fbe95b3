import type { KindModule } from './kind.ts'

/** The kinds by name, one line each, with the function that loads each of them. */
const list: Readonly<Record<string, () => Promise<KindModule>>> = {
  collection: async () => (await import('./collection/index.ts')).collection,
  derived: async () => (await import('./derived.ts')).derived,
  discovery: async () => (await import('./discovery.ts')).discovery,
  document: async () => (await import('./document.ts')).document,
  entry: async () => (await import('./entry.ts')).entry,
  handler: async () => (await import('./handler.ts')).handler,
  mcp: async () => (await import('./mcp/index.ts')).mcp,
  page: async () => (await import('./page/index.ts')).page,
  row: async () => (await import('./row.ts')).row,
  'row-sitemap': async () => (await import('./row-sitemap.ts')).rowSitemap,
  rows: async () => (await import('./rows/index.ts')).rows,
  'status-only': async () => (await import('./status-only.ts')).statusOnly,
  witness: async () => (await import('./witness.ts')).witness
}

/** The names of the kinds. The command line needs them at each start, without loading the kinds. */
export const kindNames: readonly string[] = Object.keys(list)

export const loadKinds = (): Promise<readonly KindModule[]> => Promise.all(Object.values(list).map(load => load()))
