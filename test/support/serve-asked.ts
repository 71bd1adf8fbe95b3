import type { Test } from 'tap'
import type { Asks } from '../../bin/promises/claims.ts'
import type { Configuration } from '../../bin/promises/examples.ts'
import { runCommand } from '../../bin/promises/run-command.ts'
import { packageFolder } from '../../bin/roots.ts'
import { silent } from '../../core/database/connection.ts'
import { openDatabase } from '../../core/database/database.ts'
import { readClaims, type ClaimedText } from '../../core/registry/claims.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { fill } from '../../surfaces/fill.ts'
import { declaredSources } from '../surfaces/import/bundled-sources.ts'
import type { BoosterGame } from '../../surfaces/sources/pull-rates.ts'
import { bundledDatabase } from './bundled.ts'
import { makeCallers } from './callers.ts'
import { registryOf } from './registry.ts'
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

/** The settings of the service that have examples, set to these, but for a mail server that answers nobody. */
const everything = { smtpUrl: 'smtp://127.0.0.1:9', signUp: 'open' } as const

async function seed(url: string, { corpora }: Registry, dataDir: string): Promise<void> {
  const database = await openDatabase({ url, dataDir, log: silent, isPatient: true })
  const games = (corpora.get('pulls')?.entries ?? []) as unknown as readonly BoosterGame[]
  await fill(database, dataDir, games, declaredSources())
  await database.close()
}

/** Serves everything over a database with the bundled cards, to everybody whom a claim names. */
export async function serveAsked(
  t: Pick<Test, 'teardown' | 'testdir' | 'testdirName'>,
  configuration: Configuration = 'fresh'
): Promise<Asked> {
  // An empty folder: the head of an earlier run is none of this database, and would halt the chain of draws.
  t.testdir()
  const { url } = await bundledDatabase(t)
  if (configuration !== 'fresh') await seed(url, (await registryOf()).registry, t.testdirName)
  const settings = configuration === 'full' ? { settings: everything } : {}
  const served = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url, ...settings }))
  const { all } = await makeCallers(t, url, served)
  const { texts, diagnostics } = readClaims(served.registry, [{ folder: packageFolder }])
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  const headersOf: Asks['headersOf'] = as => Promise.resolve(all[callers[as] ?? ''])
  const run: Asks['run'] = async (command, values) => await runCommand(command, { ORIGIN: served.url, ...values })
  return { ...served, texts, asks: { ask: served.get, headersOf, run } }
}
