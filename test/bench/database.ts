import { readConfig } from '../../bin/config.ts'
import { serve, type RunningServer } from '../../bin/serve.ts'
import { openDatabase } from '../../core/database/database.ts'
import { silent } from '../../core/database/log.ts'

export type BenchDatabase = Readonly<{
  url: string
  /** Pantry over this database, for taking samples. */
  pantry: RunningServer
  /** Keys of cards, in an order of no pattern. */
  skus: readonly string[]
  close: () => Promise<void>
}>

/** An embedded database with the bundled cards in it, and a Pantry that serves it. */
export async function openBenchDatabase (folder: string, say: (text: string) => void): Promise<BenchDatabase> {
  say('starting PostgreSQL and loading the bundled cards')
  const database = await openDatabase({ dataDir: folder, log: silent })
  if ('url' in database.target) throw new Error('The bench runs its own database.')
  const { host, port, user, database: name } = database.target
  const url = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${name}`
  const config = { ...readConfig({ PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: url }), baseUrl: 'http://127.0.0.1:8080' }
  const pantry = await serve({ config, roots: [], watch: false, report: () => {}, stdout: process.stderr, stderr: process.stderr })
  const rows = await database.knex('cards').select<{ sku: string }[]>('sku').orderByRaw('md5(sku)').limit(5000)
  return {
    url,
    pantry,
    skus: rows.map(({ sku }) => sku),
    async close () {
      await pantry.stop()
      await database.close()
    }
  }
}
