import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { formatDiagnostics } from '../../core/diagnostics/format.ts'
import { readConfig } from '../config.ts'
import { serve } from '../serve.ts'
import { badInput } from './bad-input.ts'
import { discovery, openapi } from './discovery.ts'
import { envelope } from './envelope.ts'
import { examples } from './examples.ts'
import { links } from './links.ts'
import type { Promised, Subject } from './subject.ts'

export type { Promised, Subject }

/** What every service promises, whoever writes it. */
export const promised: readonly Promised[] = [examples, envelope, links, discovery, openapi, badInput]

/** The manifests have mistakes; `diagnostics` are all of them. */
export class MistakesError extends Error {
  readonly diagnostics: readonly Diagnostic[]

  constructor (diagnostics: readonly Diagnostic[]) {
    super(`The manifests have errors:\n${formatDiagnostics(diagnostics, 'pretty')}`)
    this.diagnostics = diagnostics
  }
}

export type TestedOptions = Readonly<{
  /** Folders or package names; default those of the project. */
  roots?: readonly string[] | undefined
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** Where the progress of a first start goes. */
  stderr?: NodeJS.WriteStream | undefined
}>

/**
 * Serves the roots on a free port for as long as `work` takes. Without DATABASE_URL a database that they need is a new one, in a temporary folder.
 * Throws `MistakesError` when the manifests have errors.
 */
export async function whileServed<T> ({ roots = [], env = process.env, stderr = process.stderr }: TestedOptions, work: (subject: Subject) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pantry-test-data-'))
  let mistakes: readonly Diagnostic[] = []
  try {
    const running = await serve({
      config: { ...readConfig({ ...env, LOG_LEVEL: 'silent' }), host: '127.0.0.1', port: 0, adminPort: undefined, baseUrl: undefined, dataDir },
      roots,
      watch: false,
      report: diagnostics => { mistakes = diagnostics },
      stdout: new PassThrough(),
      stderr
    }).catch((error: unknown) => { throw mistakes.some(({ severity }) => severity === 'error') ? new MistakesError(mistakes) : error })
    try {
      return await work({ registry: running.app.generation.registry, ask: (path, init) => fetch(running.url + path, { redirect: 'manual', ...init }) })
    } finally {
      await running.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
