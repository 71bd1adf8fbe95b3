import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, readFileSync } from 'node:fs'
import { isObject } from '../core/canonical/json.ts'
import { memoize } from '../core/canonical/work.ts'
import type { Passed } from '../core/handler/handler.ts'
import { pageIdOf } from '../core/manifest/kind.ts'
import type { Surface } from '../core/manifest/surface.ts'
import type { PlanInput, Result } from '../core/plan/kind.ts'
import type { PlanRequest, Stage, Tracer } from '../core/plan/request.ts'
import { handlerId } from '../core/registry/rules/handlers.ts'
import { readYaml } from '../core/source/read-yaml.ts'
import { handlerFileId } from './root-modules.ts'
import type { LoadedRoot } from './roots.ts'

/** The manifest keys that decide each stage; the first that a manifest has is shown. */
const keys: Readonly<Record<Stage | 'route', readonly string[]>> = {
  route: ['path'],
  access: ['access', 'rights'],
  input: ['query', 'params', 'filters', 'path'],
  format: ['formats'],
  language: ['corpus'],
  version: ['kind'],
  content: ['kind'],
  body: ['contract'],
  head: ['cache', 'freshness']
}

/** Matches the line on which a handler's function begins. */
const answering = /^\s*(?:async )?(?:handle|derive|view|page)\b/

/** Matches the line on which the export of a handler begins, and captures its name. */
const exporting = /^export (?:default|const (\w+))\b/

const manifestOf = memoize(({ origin: { file } }: Surface) => readYaml(file, readFileSync(file)))

/** Returns the number of the line on which the function of a handler begins, or 1. */
function lineIn(file: string, id: string): number {
  const lines = readFileSync(file, 'utf8').split('\n')
  const begins = lines.findIndex(line => {
    const found = exporting.exec(line)
    return found !== null && handlerId(handlerFileId(file) ?? '', found[1] ?? 'default') === id
  })
  return lines.findIndex((line, at) => at >= begins && answering.test(line)) + 1 || 1
}

/**
 * Returns `file:line` of the manifest key or handler that decides a stage, or the manifest file if there is no such
 * line.
 */
export function placeOf(roots: readonly LoadedRoot[], surface: Surface, stage: Stage | 'route'): string {
  const { file } = surface.origin
  const id = pageIdOf(surface.id)
  const written = roots.flatMap(root => root.handlerFiles.get(id) ?? [])[0]
  try {
    if (stage === 'content' && written !== undefined && existsSync(written)) return `${written}:${lineIn(written, id)}`
    const source = manifestOf(surface)
    const given = isObject(source.value) ? source.value : {}
    const key = keys[stage].find(name => name in given)
    return key === undefined ? file : `${file}:${source.locate([key], 'key').line}`
  } catch {
    return file
  }
}

const maxLength = 100
const shortened = (text: string): string => (text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`)

const said = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ')

/** What each stage decided. */
const words: { readonly [Name in Stage]: (outcome: never) => string } = {
  access: ({ caller }: PlanRequest) =>
    `lets in ${caller.credential === undefined ? 'anyone' : `who has a ${caller.credential}`}`,
  input: ({ params, query, body, bytes, files = {} }: PlanInput) =>
    said({ ...params, ...query, body, bytes: bytes?.length, files: Object.keys(files).join(', ') || undefined }) ||
    'nothing is asked for',
  format: (format: string) => format,
  language: (language: string | undefined) => language ?? 'its content is in one language',
  version: (version: string) => version,
  content: ({ status, error, list, file }: Result) =>
    [
      `status ${status}`,
      error === undefined ? '' : `${error.code}: ${error.message}`,
      list === undefined ? '' : `${list.entries.length} entries of ${list.corpus.title}`,
      file === undefined ? '' : file.mediaType
    ]
      .filter(part => part !== '')
      .join(', '),
  body: ({ mediaType }: { mediaType: string }) => mediaType,
  head: ({ status, head }: { status: number; head: string }) =>
    [
      `status ${status}`,
      ...head.split('\r\n').filter(line => /^(?:etag|cache-control|vary|content-encoding):/i.test(line))
    ].join('; ')
}

const refusal = (error: unknown): string =>
  error instanceof Error ? `refused: ${'code' in error ? `${String(error.code)}: ` : ''}${error.message}` : 'refused'

/** Records the stages of a request while `during` runs it, in the order in which they begin. */
export function createTracer(roots: readonly LoadedRoot[]): Tracer {
  const asked = new AsyncLocalStorage<Readonly<{ passed: Passed[]; depth: number }>>()
  return {
    during: ask => {
      const passed: Passed[] = []
      return { outcome: asked.getStore() === undefined ? asked.run({ passed, depth: 0 }, ask) : ask(), passed }
    },
    stage:
      (surface, stage, run) =>
      (...given) => {
        const of = asked.getStore()
        if (of === undefined) return run(...given)
        const one = {
          stage,
          depth: of.depth,
          ms: 0,
          decided: '',
          // Computed when it is read, so that it adds no time to the stage.
          get where() {
            return placeOf(roots, surface, stage)
          }
        }
        of.passed.push(one)
        const began = performance.now()
        const note = (decided: string): void => {
          one.ms = performance.now() - began
          one.decided = shortened(decided)
        }
        const settled = <Outcome>(outcome: Outcome): Outcome => {
          note(words[stage](outcome as never))
          return outcome
        }
        const failed = (error: unknown): never => {
          note(refusal(error))
          throw error
        }
        try {
          const outcome = asked.run({ ...of, depth: of.depth + 1 }, () => run(...given))
          return outcome instanceof Promise ? (outcome.then(settled, failed) as typeof outcome) : settled(outcome)
        } catch (error) {
          return failed(error)
        }
      }
  }
}
