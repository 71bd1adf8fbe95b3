// test: sampled, slow.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import t from 'tap'
import type { Surface } from '../../core/manifest/surface.ts'
import { migrate } from '../support/migrations.ts'
import { openDatabase } from '../../core/database/database.ts'
import { startEmbedded } from '../../core/database/embedded.ts'
import { silent } from '../../core/database/connection.ts'
import { times } from '../support/effort.ts'
import { query } from '../support/embedded.ts'
import { Dice, malformedWrite } from '../support/malformed.ts'
import { scratchFolder } from '../support/scratch.ts'
import { generationOf, serveGeneration, type Served } from '../support/serve-root.ts'
import { insertCatalogue } from '../surfaces/cards/catalogue-rows.ts'

const rounds = times(10)
const inOneRound = 200

/**
 * Every surface that takes a statement from its caller, or says that nothing of a body is kept; one that is declared
 * tomorrow is one of them.
 */
const keepsNothing = ({ kind, tags, input, description, doesNotInclude }: Surface): boolean =>
  input.body !== undefined &&
  (kind === 'witness' ||
    tags.includes('witness') ||
    [description, ...doesNotInclude].some(text => /\bNothing of \w+(?: \w+)? is kept\b/.test(text)))

type Server = Awaited<ReturnType<typeof startEmbedded>>

/** Every row of every table and the state of every sequence, as text. */
async function dump(server: Server): Promise<string> {
  const tables = await query(
    server,
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1"
  )
  const rows: unknown[] = []
  // One after the other: each is a connection, and there are more tables than those.
  for (const { name } of tables)
    rows.push(
      await query(
        server,
        `select '${String(name)}' as name, coalesce(json_agg(r order by r::text), '[]')::text as rows from ${String(name)} r`
      )
    )
  return JSON.stringify([rows, await query(server, 'select sequencename, last_value from pg_sequences order by 1')])
}

/** Digest of every file below a folder, by its path. */
const filesOf = (folder: string): Record<string, string> =>
  !existsSync(folder)
    ? {}
    : Object.fromEntries(
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter(file => file.isFile())
          .map(file => join(file.parentPath, file.name))
          .sort()
          .map(path => [relative(folder, path), createHash('sha256').update(readFileSync(path)).digest('hex')])
      )

/**
 * Sends requests over one connection, one after the other, and gives back the statuses of the answers until the server
 * closes it.
 */
const pipeline = ({ server }: Served, requests: readonly Buffer[], patienceMs = 60_000): Promise<string[]> =>
  new Promise(resolve => {
    const chunks: Buffer[] = []
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write(Buffer.concat(requests))
    })
    socket.setTimeout(patienceMs, () => {
      socket.destroy()
    })
    socket.on('data', chunk => chunks.push(chunk)).on('error', () => undefined)
    socket.on('close', () => {
      resolve(
        [
          ...Buffer.concat(chunks)
            .toString('latin1')
            .matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)
        ].map(([, status]) => status ?? '')
      )
    })
  })

const requestTo = (path: string, body: unknown, secret: string, last: boolean): Buffer => {
  const text = JSON.stringify(body)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nUser-Agent: ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${last ? 'Connection: close\r\n' : ''}\r\n${text}`
  )
}

/** A body in which every text says the secret, where the surface lets it. */
const told = (value: unknown, secret: string): unknown =>
  typeof value === 'string' && /[ .]/.test(value)
    ? `${value} ${secret}`
    : Array.isArray(value)
      ? value.map(item => told(item, secret))
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, told(member, secret)]))
        : value

t.test('thousands of statements change no row and no byte', async t => {
  const folder = scratchFolder(t)
  // The server's own upkeep writes whenever it likes; here it waits, so that every written byte is ours.
  const server = await startEmbedded({
    dataDir: folder,
    log: silent,
    settings: { autovacuum: 'off', checkpoint_timeout: '1d', bgwriter_lru_maxpages: '0' }
  })
  t.teardown(() => server.stop())
  const { host, port, database: name, user } = server.connection
  const url = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${name}`
  const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
  await migrate(database.bulk)
  await insertCatalogue(database)
  await database.close()

  const faults: unknown[] = []
  const served = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url, faults }))
  const surfaces = served.registry.surfaces.filter(keepsNothing)
  t.ok(surfaces.length >= 5, `${surfaces.length} surfaces take statements`)

  const rows = await dump(server)
  await query(server, 'checkpoint')
  const [disk, own] = [filesOf(folder), filesOf(t.testdirName)]
  const secret = `canary${randomBytes(12).toString('hex')}`
  for (const surface of surfaces) {
    const { url: path, body } = surface.examples.find(({ expect }) => expect.status === 200) ?? {
      url: surface.route.path,
      body: {}
    }
    const dice = new Dice(1)
    const taken: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      taken.push(
        ...(await pipeline(
          served,
          Array.from({ length: inOneRound }, (_, index) =>
            requestTo(path, index % 2 === 0 ? body : told(body, secret), secret, index === inOneRound - 1)
          )
        ))
      )
      await pipeline(served, [malformedWrite(surface, dice).bytes], 100)
    }
    t.equal(taken.length, rounds * inOneRound, `${surface.id} answered every statement`)
    t.ok(taken.filter(status => status === '200').length >= taken.length / 2, `${surface.id} took the good ones`)
  }
  t.strictSame(filesOf(folder), disk, 'every file of the database is as before')
  t.strictSame(filesOf(t.testdirName), own, 'and so is the folder of the process')
  t.equal(await dump(server), rows, 'every row is as before')
  const holding = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name))
    .filter(path => readFileSync(path).includes(secret))
  t.strictSame(holding, [], 'nothing that was said is anywhere')
  t.strictSame(faults, [])
})
