import type { Test } from 'tap'
import type { Asks } from '../../bin/promises/claims.ts'
import { packageFolder } from '../../bin/roots.ts'
import { readClaims, type ClaimedText } from '../../core/registry/claims.ts'
import { bundledDatabase } from './bundled.ts'
import { makeCallers } from './callers.ts'
import { generationOf, serveGeneration, type Served } from './serve-root.ts'

/** The whole service, what its texts claim, and how their requests are sent. */
export type Asked = Served & Readonly<{ texts: readonly ClaimedText[]; asks: Asks }>

/** Who asks in claims, by the names of `makeCallers`. */
const callers: Readonly<Record<string, string>> = {
  agent: 'agent key',
  'user/buyer': 'person',
  'user/seller': 'seller',
  admin: 'admin'
}

/** Serves everything over a database with the bundled cards, to everybody whom a claim names. */
export async function serveAsked(t: Pick<Test, 'teardown' | 'testdirName'>): Promise<Asked> {
  const { url } = await bundledDatabase(t)
  const served = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const { all } = await makeCallers(t, url, served)
  const { texts, diagnostics } = readClaims(served.registry, [{ folder: packageFolder }])
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  const headersOf: Asks['headersOf'] = as => Promise.resolve(all[callers[as] ?? ''])
  return { ...served, texts, asks: { ask: served.get, headersOf } }
}
