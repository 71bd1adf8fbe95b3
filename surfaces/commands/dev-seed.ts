import {
  choice,
  defineCommand,
  FindingsError,
  print,
  printJson,
  requireCorpus,
  rootOption,
  withDatabase,
  type RootOptions
} from 'pantry/command'
import type { BoosterGame } from '../sources/pull-rates.ts'

const devSeedCommand = defineCommand<[], RootOptions & Readonly<{ format: 'list' | 'json' }>>({
  name: 'dev-seed',
  summary: 'Fill an empty embedded database with people, keys, auctions and draws to try out.',
  description: [
    'Makes people, sessions, keys, receipts, draws and auctions in every state, and prints what is secret, so that every kind of caller can be tried at once.',
    'It refuses on a named server and on a database that holds people. A service over a seeded database lets in nobody but on this machine.'
  ],
  options: [rootOption(), choice('--format <format>', 'Form of what is printed.', ['list', 'json'], 'list')],
  examples: [
    ['PANTRY_DATA_DIR=.pantry-try pantry dev-seed', 'Fills a new database, and prints cookies, keys and names.'],
    ['PANTRY_DATA_DIR=.pantry-try pantry dev-seed --format json > seed.json', 'The same for a script.']
  ],
  exits: { 1: 'The database is named, or holds people.', 3: 'The database cannot be started.' },
  async run(_, { root, format }, io) {
    const [{ fill }, { whyNotSeeded }, { loadSources }] = await Promise.all([
      import('../fill.ts'),
      import('../people/seed.ts'),
      import('../import/open.ts')
    ])
    const games = await requireCorpus(root, 'pulls', io)
    const entries = await requireCorpus(root, 'sources', io)
    const policies = await requireCorpus(root, 'source-policies', io)
    const seeded = await withDatabase(io, root, async (database, dataDir) => {
      const refusal = await whyNotSeeded(database)
      if (refusal !== undefined) throw new FindingsError(refusal)
      return await fill(database, dataDir, games as readonly BoosterGame[], loadSources(entries, policies))
    })
    if (format === 'json') printJson(io.stdout, seeded)
    else
      for (const [name, value] of Object.entries(seeded))
        for (const one of typeof value === 'string'
          ? [value]
          : Object.entries(value).map(([key, inner]) => (Array.isArray(value) ? inner : `${key} ${inner}`)))
          print(io.stdout, `${name.padEnd(20)} ${one}`)
    print(
      io.stderr,
      "Send a cookie as `Cookie:`, an agent's key as `Authorization: Bearer`, the wholesale key as `X-Wholesale-Key:`. They work on this machine alone."
    )
    return 0
  }
})

export default devSeedCommand
