import { join } from 'node:path'
import { readConfig } from '../../bin/config.ts'
import { serve } from '../../bin/workers/serve.ts'
import { silent } from '../../core/database/connection.ts'
import { openDatabase, type Database } from '../../core/database/database.ts'
import type { CardFacts } from '../../surfaces/cards/card-fields.ts'
import { foldName } from '../../surfaces/cards/search/fold-name.ts'
import { databaseTimer } from './database-time.ts'
import type { Keys } from './requests.ts'
import type { Sample } from './sample.ts'
import { hasCode, numberAlone } from './scale-cards.ts'
import { ordinarySet } from './scale-data.ts'
import { readSearches, tables } from '../surfaces/handlers/search/read-searches.ts'
import { takeSample } from './take-sample.ts'

export type BenchDatabase = Readonly<{
  keys: Keys
  sample: Sample
  databaseTime: () => Promise<number>
  close: () => Promise<void>
}>

type CardRow = Pick<CardFacts, 'sku' | 'game' | 'card_number' | 'name'> & Readonly<{ set_code: string }>

async function readKeys({ bulk: knex }: Database, fragments: Iterable<string>): Promise<Keys> {
  const cards = await knex('cards')
    .select<(CardRow & CardFacts)[]>('sku', 'game', 'set_code', 'card_number', 'name')
    .orderByRaw('md5(sku)')
  const some = cards.slice(0, 5000)
  const sets = await knex('sets').select<{ game: string; code: string }[]>('game', 'code').whereRaw(ordinarySet)
  const search = ({ game }: CardRow, text: string): string => `game=${game}&q=${encodeURIComponent(text)}`
  return {
    hot: cards.slice(0, 1000).map(({ sku }) => sku),
    sku: cards.map(({ sku }) => sku),
    fragment: [...fragments],
    set: sets.map(({ game, code }) => `${encodeURIComponent(code.toLowerCase())}?game=${game}`),
    exact: some.filter(hasCode).map(card => search(card, card.card_number)),
    fuzzy: some.filter(hasCode).map(card => search(card, numberAlone(card))),
    name: some.flatMap(card => (foldName(card.name ?? '') === '' ? [] : [search(card, card.name ?? '')])),
    typed: tables
      .flatMap(readSearches)
      .map(({ q, game }) => new URLSearchParams({ ...(game === undefined ? {} : { game }), q }).toString()),
    prefix: some.flatMap(({ name }, at) =>
      /^[^ ]{2}/.test(foldName(name ?? '')) ? [encodeURIComponent(foldName(name ?? '').slice(0, 2 + (at % 4)))] : []
    )
  }
}

/**
 * An embedded database with the bundled cards, what can be asked of it, and what Pantry answers. It remains in
 * `dataDir`.
 */
export async function openBenchDatabase(dataDir: string, say: (text: string) => void): Promise<BenchDatabase> {
  say('starting PostgreSQL and loading the bundled cards')
  const database = await openDatabase({ dataDir, log: silent })
  if ('url' in database.target) throw new Error('The bench runs its own database.')
  const { host, port, user, database: name } = database.target
  const url = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${name}`
  const config = {
    ...readConfig({ PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: url, PANTRY_DATA_DIR: join(dataDir, 'bench') }),
    baseUrl: 'http://127.0.0.1:8080'
  }
  const pantry = await serve({
    config,
    roots: [],
    watch: false,
    report: () => {},
    stdout: process.stderr,
    stderr: process.stderr
  })
  try {
    const keys = await readKeys(database, pantry.registry().corpora.get('wake-fragments')?.byKey.keys() ?? [])
    return {
      keys,
      sample: await takeSample(pantry, keys, url),
      databaseTime: databaseTimer(database, name),
      close: () => database.close()
    }
  } finally {
    await pantry.stop()
  }
}
