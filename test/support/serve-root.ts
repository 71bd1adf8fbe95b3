import type { Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { openServices } from '../../bin/open-services.ts'
import type { Config } from '../../bin/config.ts'
import { joinTables } from '../../bin/roots.ts'
import type { SettingsGiven } from '../../core/database/root-services.ts'
import { compileGeneration, type Generation } from '../../core/plan/generation.ts'
import type { ClientAddress } from '../../core/http/client.ts'
import { createSurfaceServer, SurfaceApp } from '../../core/http/server.ts'
import { kinds } from '../../core/kinds/index.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { eventually } from './eventually.ts'
import { library, registryOf } from './registry.ts'

export { library } from './registry.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

type Code = ReturnType<typeof joinTables> extends ReadonlyMap<string, infer C> ? C : never

/**
 * A generation over roots, without a database unless `databaseUrl` names one, which is then waited for unless it
 * `isAway`. It is as patient with the database as a command, so that a busy machine fails nothing; a test of the time
 * limits of requests sets `isPatient` to false. `wrap` puts something around code.
 */
export async function generationOf(
  t: Pick<Test, 'teardown' | 'testdirName'>,
  roots: readonly string[],
  options: {
    databaseUrl?: string
    databaseReadUrl?: string
    pooler?: 'transaction' | undefined
    isAway?: boolean
    isPatient?: boolean
    baseUrl?: string
    settings?: SettingsGiven
    faults?: unknown[]
    unavailable?: unknown[]
    wrap?: (code: Code) => Code
  } = {}
): Promise<Generation> {
  const { roots: loaded, registry } = await registryOf(roots, options.baseUrl ?? 'http://127.0.0.1:8080')
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    databaseUrl: options.databaseUrl,
    databaseReadUrl: options.databaseReadUrl,
    pooler: options.pooler,
    dataDir: t.testdirName,
    baseUrl: undefined,
    logLevel: 'silent',
    adminPort: undefined,
    workers: 1,
    ...(options.settings === undefined ? {} : { settings: options.settings })
  }
  const services =
    options.databaseUrl === undefined && roots.length === 1 && roots[0] === library
      ? undefined
      : await openServices(options.databaseUrl === undefined ? [] : loaded, registry, config, silent, {
          checkRows: true,
          isPatient: options.isPatient ?? true
        })
  if (services !== undefined) t.teardown(() => services.close())
  if (services !== undefined && options.databaseUrl !== undefined && options.isAway !== true) {
    await eventually(async () => {
      const { database } = await services.health()
      if (database !== undefined && database.status !== 'ok') throw new Error('the readers are not connected yet')
    })
  }
  return compileGeneration({
    registry,
    kinds,
    handlers: new Map([...joinTables(loaded)].map(([id, code]) => [id, options.wrap?.(code) ?? code])),
    services: services?.services ?? {},
    checkReplies: true,
    inSnapshot: services?.inSnapshot,
    once: services?.once,
    tables: services?.tables,
    observe: now => ({
      now,
      startedAt: now,
      subsystems: { process: { status: 'ok', detail: 'The process answers.' } }
    }),
    onFault: error => {
      options.faults?.push(error)
    },
    onUnavailable: (...told) => {
      options.unavailable?.push(told)
    }
  })
}

export type Served = Readonly<{
  url: string
  app: SurfaceApp
  server: Server
  registry: Registry
  get: (path: string, init?: RequestInit) => Promise<Response>
  /**
   * Sends bytes as they are and gives back everything the server sent until it closed, or until `quietMs` after the
   * first bytes.
   */
  raw: (text: string | Buffer, quietMs?: number) => Promise<string>
}>

export async function serveGeneration(
  t: Pick<Test, 'teardown'>,
  generation: Generation,
  { port: wanted = 0, ...options }: { direct?: boolean; port?: number; clientAddress?: ClientAddress } = {}
): Promise<Served> {
  const app = new SurfaceApp({ generation, ...options })
  app.silent = true
  // A busy machine must not meet a connection that is closed while it is used again.
  const server = createSurfaceServer(app, {}, { keepAliveTimeout: 60_000 })
  await new Promise<void>(resolve => {
    server.listen(wanted, '127.0.0.1', () => {
      resolve()
    })
  })
  t.teardown(
    () =>
      new Promise<void>(resolve => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    app,
    server,
    registry: generation.registry,
    get: (path, init) => fetch(url + path, { redirect: 'manual', ...init }),
    raw: (text, quietMs = 150) =>
      new Promise((resolve, reject) => {
        let out = ''
        let timer: NodeJS.Timeout | undefined
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(text)
        })
        socket.on('data', chunk => {
          out += chunk.toString('latin1')
          clearTimeout(timer)
          timer = setTimeout(() => {
            socket.destroy()
          }, quietMs)
        })
        socket.on('close', () => {
          resolve(out)
        })
        socket.on('error', error => {
          if (out === '') reject(error)
        })
      })
  }
}

/** The library fixture behind a real socket. */
export const serveLibrary = async (t: Test, options: { direct?: boolean } = {}): Promise<Served> =>
  serveGeneration(t, await generationOf(t, [library]), options)
