import { join } from 'node:path'
import type { Test } from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import type { Coded } from '../../core/plan/bind-handlers.ts'
import { kinds } from '../../core/kinds/index.ts'
import type { Service } from '../../core/manifest/service.ts'
import { compileGeneration, type Generation } from '../../core/plan/generation.ts'
import type { AnswerOnce } from '../../core/plan/kind.ts'
import { loadRegistry, withBaseUrl } from '../../core/registry/load.ts'
import { LoadCache } from '../../core/source/read-folder.ts'
import { standard } from './standard.ts'

/**
 * `more`: lines of the manifest beside those that all have; `access`: default `public`; `kind`: default `handler`; a
 * page is bare.
 */
type Given = Readonly<{
  path: string
  more: string
  access?: string
  handler: Coded<unknown>
  kind?: 'page'
  contract?: 'bare' | 'math-mirror'
}>

const manifest = ({ path, more, kind, contract, access = 'public' }: Given): string => `kind: ${kind ?? 'handler'}
path: ${path}
summary: It is there for a test.
tags: [test]
access: ${access}
carries_pii: false
requires_consent: false
freshness: live
license: CC0-1.0
sources: [self]
provenance: computed
since: 2026-11-23
${kind === 'page' ? 'contract: bare\nformats: [html]' : `contract: ${contract ?? 'envelope'}`}
${more}`

/**
 * The library with surfaces of handlers, by their ids, without services unless they are given, and with other words of
 * `service.yaml`. A fault is thrown unless `onFault` takes it.
 */
export function handlerGeneration(
  t: Test,
  given: Readonly<Record<string, Given>>,
  { base_url: baseUrl, ...words }: Partial<Service> = {},
  onFault = (fault: unknown): void => {
    throw fault
  },
  { services = {}, once }: Readonly<{ services?: object; once?: AnswerOnce }> = {}
): Generation {
  const folder = t.testdir({
    manifests: Object.fromEntries(Object.entries(given).map(([id, one]) => [`${id}.yaml`, manifest(one)]))
  })
  const handlers = new Map(Object.entries(given).map(([id, { handler }]) => [id, handler]))
  const none = { handlers: new Map(), handlerFiles: new Map(), problems: [] }
  const { registry, diagnostics } = loadRegistry({
    kinds,
    reuse: new LoadCache(),
    roots: [
      standard,
      { ...none, name: 'library', folder: join(packageFolder, 'test/fixture/library') },
      { ...none, name: 'handlers', folder, handlers }
    ]
  })
  if (registry === undefined) throw new Error(JSON.stringify(diagnostics))
  return compileGeneration({
    registry: withBaseUrl(
      { ...registry, service: { ...registry.service, ...words } },
      baseUrl ?? registry.service.base_url
    ),
    kinds,
    handlers: new Map<string, Coded<unknown>>([
      ...(standard.table as ReadonlyMap<string, Coded<unknown>>),
      ...handlers
    ]),
    services,
    once,
    observe: now => ({ now, startedAt: now, subsystems: {} }),
    onFault
  })
}
