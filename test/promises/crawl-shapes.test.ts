// test: long. The crawl shapes of `/api/v1/budget` through the two caches as `bin/deploy` sets them (Debian: `nginx`,
// `varnish`).
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { silent } from '../../core/database/connection.ts'
import { openDatabase } from '../../core/database/database.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'
import { absent, askWire, cacheNames, startCache } from '../support/shared-caches.ts'

type Shape = Readonly<{ paths: readonly string[]; isStored: boolean }>

/**
 * Which of `count` things is asked next: the k-th most wanted is asked in proportion to 1/k (Zipf's law). The same
 * sequence in each run.
 */
function zipf(count: number): () => number {
  const sums = Array.from({ length: count }, (_, at) => 1 / (at + 1)).reduce<number[]>(
    (all, weight) => [...all, (all.at(-1) ?? 0) + weight],
    []
  )
  let seed = 7
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    const wanted = (seed / 2_147_483_647) * (sums.at(-1) ?? 0)
    return sums.findIndex(sum => sum >= wanted)
  }
}

const repeated = <T>(times: number, make: () => T): T[] => Array.from({ length: times }, make)

async function shapesOf(databaseUrl: string): Promise<Readonly<Record<string, Shape>>> {
  const database = await openDatabase({ url: databaseUrl, dataDir: '', log: silent, isPatient: true })
  const cards = await database
    .knex('cards')
    .select<{ sku: string; content_hash: string }[]>('sku', 'content_hash')
    .orderBy('content_hash')
    .limit(2_000)
  await database.close()
  const next = zipf(cards.length)
  const card = (): Readonly<{ sku: string; content_hash: string }> => cards[next()] ?? { sku: '', content_hash: '' }
  return {
    // A hundred clients follow twenty cards each and ask three times within what the answers allow.
    watchlist: {
      paths: repeated(100, () => repeated(20, () => `/api/v1/universal/card/${card().sku}`)).flatMap(list => [
        ...list,
        ...list,
        ...list
      ]),
      isStored: true
    },
    federation: {
      paths: repeated(50, () => [
        '/api/v1/universal/encoding',
        ...repeated(30, () => `/api/v1/federation/identify/${card().content_hash}`)
      ]).flat(),
      isStored: true
    },
    spec_consumer: {
      paths: repeated(100, () => ['/api/openapi.json', '/api/v1/manifest', '/api/v1/changelog']).flat(),
      isStored: true
    },
    // What is paused is never stored, so that its end is seen at once.
    full_mirror: { paths: repeated(50, () => '/data/catalog.jsonl'), isStored: false }
  }
}

for (const name of cacheNames) {
  t.test(`behind ${name} the service is asked once for what many want`, { skip: absent(name) }, async t => {
    const { url } = await bundledDatabase(t)
    const { server } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
    let asked = 0
    server.on('request', () => {
      asked += 1
    })
    const cache = await startCache(t, name, (server.address() as AddressInfo).port, { asDeployed: true })
    for (const [shape, { paths, isStored }] of Object.entries(await shapesOf(url))) {
      asked = 0
      const failed: string[] = []
      for (const [at, path] of paths.entries()) {
        const { status } = await askWire({ socketPath: cache.told }, path, {
          'Accept-Encoding': at % 2 === 0 ? 'gzip' : 'identity'
        })
        if (status !== 200 && isStored) failed.push(`${path} is ${status}`)
      }
      t.strictSame(failed, [], shape)
      const wanted = new Set(paths).size
      process.stderr.write(
        `${name} ${shape}: ${paths.length} requests, ${wanted} documents, the service was asked ${asked} times (${(100 * (1 - asked / paths.length)).toFixed(1)} % hits)\n`
      )
      // Varnish stores one form and makes the other; nginx stores each form that is asked for.
      if (isStored) t.ok(asked <= 2 * wanted, `${shape}: ${asked} of at most ${2 * wanted}`)
      else t.equal(asked, paths.length, `${shape} is asked each time`)
    }
  })
}
