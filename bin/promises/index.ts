import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { accessTable, hasScopes, secretHeader } from '../../core/access/index.ts'
import type { JsonSchema, JsonValue } from '../../core/canonical/json.ts'
import type { SettingsGiven } from '../../core/database/root-services.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { formatDiagnostics } from '../../core/diagnostics/format.ts'
import { readClaims, type ClaimedText } from '../../core/registry/claims.ts'
import { readConfig } from '../config.ts'
import { FindingsError, print } from '../io.ts'
import { contentRoots, settingsOf } from '../roots.ts'
import type { RunningServer } from '../workers/serve.ts'
import { faultText } from '../stack-traces.ts'
import { claims } from './claims.ts'
import { discovery, links, openapi } from './discovery.ts'
import { badInput, envelope } from './envelope.ts'
import { examples, requestOf, withFaults, type Configuration, type Promised, type Subject } from './examples.ts'
import { runCommand } from './run-command.ts'

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
    stderr,
    configuration,
    inOthers
  }: Readonly<{
    texts: readonly ClaimedText[]
    failed: Map<string, string>
    stderr: NodeJS.WriteStream
    configuration: Configuration
  }> &
    Pick<Subject, 'inOthers'>
): Subject {
  const requests = new Map<string, string>()
  const kinds = accessTable(registry().service.access)
  const keys = new Map<string, Promise<string | undefined>>()
  const keyOf = async (as: string): Promise<string | undefined> => {
    const [kind = '', which] = as.split('/')
    const asked = kinds[kind] ?? { meaning: '' }
    const { credential, grant } = asked
    const isKey = hasScopes(asked)
    const granted = isKey ? which : grant
    const wanted = {
      credential: credential?.name ?? '',
      grants: granted === undefined ? [] : [granted],
      name: `${(isKey ? undefined : which) ?? 'reader'}-${configuration}`
    }
    const key = keys.get(as) ?? Promise.resolve(callers?.keyForTests?.(wanted))
    keys.set(as, key)
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
      const secret = await keyOf(as)
      const kind = kinds[as.split('/')[0] ?? ''] ?? { meaning: '' }
      const header = secret === undefined ? undefined : secretHeader(kind, secret, url)
      return header === undefined ? undefined : Object.fromEntries([header])
    },
    runCommand: async (command, values) => await runCommand(command, { ORIGIN: url, ...values }),
    inOthers,
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

/** The settings of the roots that have an example, set to it. */
const exampleSettings = async (roots: readonly string[]): Promise<SettingsGiven> =>
  Object.fromEntries(
    (await settingsOf(roots)).flatMap(({ properties }) =>
      Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(([name, { examples: given }]) =>
        Array.isArray(given) ? [[name, given[0] as JsonValue] as const] : []
      )
    )
  )

/**
 * Serves the roots on a free port while `work` runs, and checks the replies of their handlers. A needed database is a
 * new one: in a temporary folder, or on the server of DATABASE_URL, whose own database is never written to. Throws
 * `MistakesError` if the manifests have errors.
 */
export async function whileServed<T>(options: TestedOptions, work: (subject: Subject) => Promise<T>): Promise<T> {
  return await withPlace(options, place => servedIn(place, 'fresh', options, work))
}

/** Where a service under test keeps its data. */
type Place = Readonly<{ dataDir: string; databaseUrl: string | undefined }>

async function withPlace<T>({ env = process.env }: TestedOptions, work: (place: Place) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pantry-test-data-'))
  const { databaseUrl: url, pooler } = readConfig(env)
  try {
    if (url === undefined) return await work({ dataDir, databaseUrl: url })
    const { withScratchDatabase } = await import('../../core/database/scratch.ts')
    return await withScratchDatabase({ url, pooler }, databaseUrl => work({ dataDir, databaseUrl }))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function servedIn<T>(
  place: Place,
  configuration: Configuration,
  options: TestedOptions,
  work: (subject: Subject) => Promise<T>
): Promise<T> {
  const { roots = [], env = process.env, stderr = process.stderr } = options
  const examples = await exampleSettings(roots)
  const config = readConfig({ ...env, LOG_LEVEL: 'silent' })
  let mistakes: readonly Diagnostic[] = []
  const failed = new Map<string, string>()
  const { serve } = await import('../workers/serve.ts')
  const running = await serve({
    config: {
      ...config,
      ...place,
      ...(configuration === 'full' ? { settings: { ...config.settings, ...examples } } : {}),
      databaseReadUrl: undefined,
      host: '127.0.0.1',
      port: 0,
      adminPort: undefined,
      baseUrl: undefined,
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
    if (configuration === 'seeded') await running.fillForTests?.()
    const others: readonly Configuration[] = [
      ...(running.fillForTests === undefined ? [] : (['seeded'] as const)),
      ...(Object.keys(examples).length === 0 ? [] : (['full'] as const))
    ]
    const inOthers: Subject['inOthers'] = async work =>
      await withPlace(options, async place => {
        const done: Awaited<ReturnType<typeof work>>[] = []
        for (const one of others) done.push(await servedIn(place, one, options, subject => work(subject, one)))
        return done
      })
    return await work(subjectOf(running, { texts, failed, stderr, configuration, inOthers }))
  } finally {
    await running.stop()
  }
}
