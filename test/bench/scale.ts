import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { openDatabase, type Database } from '../../core/database/database.ts'
import { silent } from '../../core/database/connection.ts'
import { startEmbedded } from '../../core/database/embedded.ts'
import { databaseTimer } from './database-time.ts'
import { wrongOf } from './load.ts'
import { processorTime } from './processor-time.ts'
import type { Sample } from './sample.ts'
import { readBase, type Base } from './scale-data.ts'
import { prepareScale, sizes, urlOf, type Size } from './scale-databases.ts'
import { picker, topics, type Topic } from './scale-questions.ts'
import { pinSelf, startServer, type Started } from './servers.ts'

/** One topic asked of one catalogue for some seconds. Times of processors are microseconds for each request. */
export type ScaleMeasure = Readonly<{
  perSecond: number
  p99: number
  cpuMicroseconds: number
  databaseMicroseconds: number
  wrong: number
}>
/** By topic and by size, one measure for each round. */
export type ScaleResults = Readonly<Record<string, Readonly<Record<Size, readonly ScaleMeasure[]>>>>

export type ScaleOptions = Readonly<{
  dataDir: string
  rounds: number
  seconds: number
  connections: number
  say: (text: string) => void
}>

const allSizes = Object.keys(sizes) as Size[]
const warmSeconds = 2

type Catalogue = Readonly<{ size: Size; base: Base; database: Database; databaseTime: () => Promise<number> }>

const requestOf = ({ path, body }: Readonly<{ path: string; body?: string }>): autocannon.Request =>
  body === undefined
    ? { method: 'GET', path }
    : { method: 'POST', path, body, headers: { 'content-type': 'application/json' } }

/** Throws unless some answers are the right ones: a fast wrong answer proves nothing. */
async function look(topic: Topic, { size, base }: Catalogue, { url }: Started, seed: number): Promise<void> {
  const pick = picker(seed)
  for (let count = 0; count < 5; count++) {
    const {
      question: { path, body },
      isRight
    } = topic.ask(base, sizes[size], pick)
    const response = await fetch(
      url + path,
      body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    )
    if (!isRight(await response.text()))
      throw new Error(`${topic.name} of ${size}: ${path} was answered wrongly (${response.status}).`)
  }
}

async function ask(
  topic: Topic,
  catalogue: Catalogue,
  server: Started,
  seed: number,
  { seconds, connections }: ScaleOptions
): Promise<ScaleMeasure> {
  await look(topic, catalogue, server, seed)
  const { base, size } = catalogue
  const run = async (pick: ReturnType<typeof picker>, duration: number): Promise<autocannon.Result> => {
    // Each connection has questions of its own: if all asked the same at the same time, the server would look it up
    // once.
    const questions = Array.from({ length: connections }, () =>
      Array.from({ length: topic.questions }, () => requestOf(topic.ask(base, sizes[size], pick).question))
    )
    return await autocannon({
      url: server.url,
      connections,
      duration,
      timeout: 10,
      setupClient: client => {
        client.setRequests(questions.pop() ?? [])
      }
    })
  }
  await run(picker(seed + 1), warmSeconds)
  const time = async (): Promise<readonly [number, number]> => [
    processorTime(server.pid).ran,
    await catalogue.databaseTime()
  ]
  const before = await time()
  const result = await run(picker(seed + 2), seconds)
  const after = await time()
  const { total } = result.requests
  return {
    perSecond: total / result.duration,
    p99: result.latency.p99,
    cpuMicroseconds: (after[0] - before[0]) / total,
    databaseMicroseconds: (after[1] - before[1]) / total,
    wrong: wrongOf(result, 200)
  }
}

/**
 * In each round every catalogue gets a fresh server; each topic is asked of one size after the other, so that what
 * drifts meets all of them.
 */
async function measureRound(
  round: number,
  catalogues: readonly Catalogue[],
  options: ScaleOptions,
  keep: (topic: Topic, size: Size, one: ScaleMeasure) => void
): Promise<void> {
  const servers: (readonly [Catalogue, Started])[] = []
  try {
    for (const catalogue of catalogues)
      servers.push([
        catalogue,
        await startServer('pantry', { sampleFile: join(options.dataDir, `${catalogue.size}.json`) })
      ])
    for (const topic of topics) {
      for (const [catalogue, server] of servers) {
        const one = await ask(topic, catalogue, server, round * 1000, options)
        keep(topic, catalogue.size, one)
        options.say(
          `round ${round}/${options.rounds} ${topic.name.padEnd(14)} ${catalogue.size.padEnd(4)} ${one.perSecond.toFixed(0).padStart(6)}/s  p99 ${one.p99} ms  ${one.cpuMicroseconds.toFixed(0)} + ${one.databaseMicroseconds.toFixed(0)} us${one.wrong > 0 ? `  ${one.wrong} WRONG` : ''}`
        )
      }
    }
  } finally {
    for (const [, server] of servers) server.kill()
  }
}

/** Asks the same of catalogues of three sizes. What `dataDir` holds already is used again. */
export async function measureScale(options: ScaleOptions): Promise<ScaleResults> {
  const names = await prepareScale(options.dataDir, options.say)
  // Servers are on one core, everything else, also the database, on another.
  pinSelf(1)
  const embedded = await startEmbedded({ dataDir: options.dataDir, log: silent })
  const catalogues: Catalogue[] = []
  try {
    for (const size of allSizes) {
      const databaseUrl = urlOf(embedded.connection, names[size])
      const database = await openDatabase({ url: databaseUrl, dataDir: '', log: silent })
      options.say(`${size}: reading it once`)
      catalogues.push({
        size,
        base: await readBase(database.bulk),
        database,
        databaseTime: databaseTimer(database, names[size])
      })
      // From here on the files are in memory, as far as they fit: what is compared is the work, not the disk.
      await database.bulk.raw('select sum(length(document)), count(name) from cards')
      const sample: Pick<Sample, 'databaseUrl'> = { databaseUrl }
      writeFileSync(join(options.dataDir, `${size}.json`), JSON.stringify(sample))
    }
    const results = Object.fromEntries(
      topics.map(({ name }) => [name, Object.fromEntries(allSizes.map(size => [size, [] as ScaleMeasure[]]))])
    ) as Record<string, Record<Size, ScaleMeasure[]>>
    for (let round = 1; round <= options.rounds; round++) {
      await measureRound(round, catalogues, options, ({ name }, size, one) => {
        results[name]?.[size].push(one)
      })
    }
    return results
  } finally {
    for (const { database } of catalogues) await database.close()
    await embedded.stop()
  }
}
