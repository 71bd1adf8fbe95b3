import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { accessTable, keyHeader } from '../../core/access/index.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { formatDiagnostics } from '../../core/diagnostics/format.ts'
import { readClaims, type ClaimedText } from '../../core/registry/claims.ts'
import { readConfig, type Config } from '../config.ts'
import { FindingsError, print } from '../io.ts'
import { contentRoots } from '../roots.ts'
import type { RunningServer } from '../workers/serve.ts'
import { faultText } from '../stack-traces.ts'
import { claims } from './claims.ts'
import { discovery, links, openapi } from './discovery.ts'
import { badInput, envelope } from './envelope.ts'
import { examples, requestOf, withFaults, type Promised, type Subject } from './examples.ts'

export { withFaults, type Promised, type Subject }

/** The promises that every service must keep, whoever writes it. */
export const promised: readonly Promised[] = [examples, claims, envelope, links, discovery, openapi, badInput].map(
  withFaults
)

/** Thrown when the manifests have errors; `diagnostics` lists all of them, and the warnings. */
export class MistakesError extends FindingsError {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(`The manifests have errors:\n${formatDiagnostics(diagnostics, 'pretty')}`)
    this.diagnostics = diagnostics
  }
}

/** What is tested, and with which environment. */
export type TestedOptions = Readonly<{
  /** Folders or package names; default: those of the project. */
  roots?: readonly string[] | undefined
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** The stream for the progress of the start. */
  stderr?: NodeJS.WriteStream | undefined
}>

/** How often a request is sent that is answered 503 with `Retry-After`, as on a machine with too much to do. */
const mostTries = 5

async function patiently(send: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await send()
    const seconds = Number(response.headers.get('retry-after') ?? NaN)
    if (response.status !== 503 || !(seconds <= 5) || tries === mostTries) return response
    await response.body?.cancel()
    await sleep(seconds * 1000)
  }
}

/**
 * Returns the running service as a subject. Faults are kept until `faults` is called, which names equal ones of a path
 * once.
 */
function subjectOf(
  { url, registry, callers }: RunningServer,
  {
    texts,
    failed,
    stderr
  }: Readonly<{ texts: readonly ClaimedText[]; failed: Map<string, string>; stderr: NodeJS.WriteStream }>
): Subject {
  const requests = new Map<string, string>()
  const kinds = accessTable(registry().service.access)
  const keys = new Map<string, Promise<string | undefined>>()
  const keyOf = async (kind: string): Promise<string | undefined> => {
    const { credential, grant } = kinds[kind] ?? {}
    const wanted = { credential: credential?.name ?? '', grants: grant === undefined ? [] : [grant] }
    const key = keys.get(kind) ?? Promise.resolve(callers?.keyForTests?.(wanted))
    keys.set(kind, key)
    return await key
  }
  const ask: Subject['ask'] = async (path, init) => {
    const response = await patiently(() => fetch(url + path, { redirect: 'manual', ...init }))
    requests.set(response.headers.get('x-request-id') ?? '', `${init?.method ?? 'GET'} ${path.split('?')[0] ?? path}`)
    return response
  }
  return {
    registry: registry(),
    claims: texts,
    ask,
    headersOf: async as => {
      const key = await keyOf(as)
      const header = key === undefined ? undefined : keyHeader(kinds[as] ?? { meaning: '' }, key)
      return header === undefined ? undefined : Object.fromEntries([header])
    },
    note: text => {
      print(stderr, `note: ${text}`)
    },
    run: async example => await ask(example.url, requestOf(example, await keyOf(example.as?.kind ?? ''))),
    faults: () => {
      const texts = [...failed].map(([requestId, text]) => `${requests.get(requestId) ?? 'An answer'} failed: ${text}`)
      failed.clear()
      return [...new Set(texts)]
    }
  }
}

/**
 * Serves the roots on a free port while `work` runs, and checks the replies of their handlers. A needed database is a
 * new one: in a temporary folder, or on the server of DATABASE_URL, whose own database is never written to. Throws
 * `MistakesError` if the manifests have errors.
 */
export async function whileServed<T>(
  { roots = [], env = process.env, stderr = process.stderr }: TestedOptions,
  work: (subject: Subject) => Promise<T>
): Promise<T> {
  const config = { ...readConfig({ ...env, LOG_LEVEL: 'silent' }), databaseReadUrl: undefined }
  const { databaseUrl: url, pooler } = config
  const served = (databaseUrl: string | undefined): Promise<T> =>
    whileServedOn({ ...config, databaseUrl }, { roots, stderr }, work)
  if (url === undefined) return await served(undefined)
  const { withScratchDatabase } = await import('../../core/database/scratch.ts')
  return await withScratchDatabase({ url, pooler }, served)
}

async function whileServedOn<T>(
  config: Config,
  { roots, stderr }: Readonly<{ roots: readonly string[]; stderr: NodeJS.WriteStream }>,
  work: (subject: Subject) => Promise<T>
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pantry-test-data-'))
  let mistakes: readonly Diagnostic[] = []
  const failed = new Map<string, string>()
  try {
    const { serve } = await import('../workers/serve.ts')
    const running = await serve({
      config: {
        ...config,
        host: '127.0.0.1',
        port: 0,
        adminPort: undefined,
        baseUrl: undefined,
        dataDir,
        workers: 1,
        jobs: false
      },
      roots,
      watch: false,
      checkReplies: true,
      onFault: (error, requestId) => {
        failed.set(requestId, faultText(error))
      },
      report: diagnostics => {
        mistakes = diagnostics
      },
      stdout: new PassThrough(),
      stderr
    }).catch((error: unknown) => {
      throw mistakes.some(({ severity }) => severity === 'error') ? new MistakesError(mistakes) : error
    })
    try {
      const { texts, diagnostics } = readClaims(running.registry(), await contentRoots(roots))
      if (diagnostics.length > 0) throw new MistakesError(diagnostics)
      return await work(subjectOf(running, { texts, failed, stderr }))
    } finally {
      await running.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
