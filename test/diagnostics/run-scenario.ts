import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { migrationsInSql, staleSources } from '../../bin/built-sources.ts'
import { formatDiagnostics } from '../../core/diagnostics/format.ts'
import { jobProblem } from '../../core/database/jobs/job.ts'
import { webhookProblems } from '../../core/database/webhooks/types.ts'
import type { CorpusChecks } from '../../core/corpus/corpus.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { kinds } from '../../core/kinds/index.ts'
import type { HandlerShape } from '../../core/manifest/kind.ts'
import { exportedHandlers, importProblem, repeatedHandler } from '../../core/registry/rules/handlers.ts'
import { loadRegistry, type Root } from '../../core/registry/load.ts'
import { shownPath } from '../../core/source/read-folder.ts'

/** Given to every scenario that does not bring its own. */
const service = `id: library
name: Library
version: 1.0.0
spec_version: "1"
summary: Books of a public library.
description: Books of a public library.
base_url: http://library.example
contact: { email: desk@library.example, response_hours: 48 }
encoding: library/universal/v1
tiers:
  CC0-1.0: { meaning: Dedicated., open: true, label: cc0 }
  NOASSERTION: { meaning: Nothing is asserted., open: false, label: none }
freshness:
  catalog: { seconds: 86400, meaning: A day. }
sources:
  self: { license: CC0-1.0, meaning: Written here. }
  publisher: { license: NOASSERTION, meaning: Taken from publishers. }
links: [{ rel: self, meaning: This answer., registered: true }]
rate_policy: { limit: 60, window_seconds: 60, summary: Sixty a minute., classes: [], polite_behaviours: [] }
suggestions: {}
index: []
invariants: []
agents: { model_name: library, human_summary: Books., mcp: { endpoint: null, status: planned, note: Later. }, user_agent: name/1 }
`

export type InputFile = Readonly<{ path: string; how: string; text: string }>

/**
 * Input files, each after a line `--- path`; a line of dashes; the expected output. `(hex)`, `(link to)` and `(repeat
 * n)` follow a path.
 */
export function parseScenario(text: string): { input: string; files: InputFile[]; expected: string } {
  const [input = '', expected = ''] = text.split(/^-{20,}\n/m)
  const parts = input.split(/^--- (.+)\n/m).slice(1)
  const files = parts.flatMap((header, index): InputFile[] => {
    const [, path = '', how = ''] = /^(\S+)(?: \((.+)\))?$/.exec(header) ?? []
    return index % 2 === 1 ? [] : [{ path, how, text: parts[index + 1] ?? '' }]
  })
  return { input, files, expected }
}

function write(folder: string, { path, how, text }: InputFile): void {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  const [verb, argument = ''] = how.split(' ')
  if (verb === 'link') symlinkSync(argument, target)
  else if (verb === 'hex') writeFileSync(target, Buffer.from(text.replaceAll(/\s/g, ''), 'hex'))
  else if (verb === 'repeat') writeFileSync(target, text.replace(/\n$/, '').repeat(Number(argument)))
  else writeFileSync(target, text)
}

/** The check of the corpus `rules` in a scenario. */
const checks: CorpusChecks = {
  rules: ({ pattern }, isSafe) =>
    typeof pattern === 'string' && isSafe(pattern)
      ? []
      : [{ pointer: ['pattern'], message: 'The pattern can backtrack without bound.', hint: 'Anchor it.' }]
}

/** Puts a function where the JSON of a scenario has one. */
const withCode = (key: string, value: unknown): unknown =>
  ['handle', 'derive', 'view', 'toBody', 'run'].includes(key) ? () => ({}) : value

/**
 * A handler file of a scenario is the JSON form of its default export, or of all its exports in a member `exports`, or
 * a line `throw <message>`. A file of a job, and that of webhooks, is the
 * JSON form of its default export.
 */
function rootOf(name: string, folder: string, files: readonly InputFile[], prefix: string): Root {
  const handlers = new Map<string, HandlerShape>()
  const handlerFiles = new Map<string, string>()
  const problems: Diagnostic[] = []
  for (const { path, text } of files) {
    const job = new RegExp(`^${prefix}surfaces/jobs/(.+)\\.ts$`).exec(path)?.[1]
    const wrong = job === undefined ? undefined : jobProblem(path, job, JSON.parse(text, withCode))
    if (wrong !== undefined) problems.push(wrong)
    if (path === `${prefix}surfaces/webhooks.ts`) problems.push(...webhookProblems(path, JSON.parse(text)))
    const id = path.startsWith(`${prefix}surfaces/handlers/`)
      ? path.slice(`${prefix}surfaces/handlers/`.length, -'.ts'.length)
      : undefined
    if (id === undefined) continue
    if (text.startsWith('throw ')) {
      problems.push(importProblem(path, new Error(text.slice('throw '.length).trim())))
      handlerFiles.set(id, path)
      continue
    }
    const written = JSON.parse(text, withCode) as HandlerShape & Readonly<{ exports?: object }>
    for (const one of exportedHandlers(path, id, written.exports ?? { default: written })) {
      const other = one.id === undefined ? undefined : handlerFiles.get(one.id)
      const problem = one.id === undefined || other === undefined ? one.problem : repeatedHandler(path, one.id, other)
      if (problem !== undefined) problems.push(problem)
      if (one.id === undefined) continue
      if (problem === undefined) handlers.set(one.id, one.handler as HandlerShape)
      if (other === undefined) handlerFiles.set(one.id, path)
    }
  }
  problems.push(...staleSources(join(folder, 'dist', 'bundle'), folder), ...migrationsInSql(folder))
  return { name, folder, checks, handlers, handlerFiles, problems }
}

/** What `pantry validate` prints for the files of a scenario; the folder `second/` is a root of its own. */
export function runScenario(
  folder: string,
  files: readonly InputFile[]
): { output: string; diagnostics: readonly Diagnostic[] } {
  if (!files.some(({ path }) => path === 'manifests/service.yaml' || path === 'NO-SERVICE'))
    write(folder, { path: 'manifests/service.yaml', how: '', text: service })
  for (const file of files) write(folder, file)
  const roots = [rootOf('main', folder, files, '')]
  if (files.some(({ path }) => path.startsWith('second/')))
    roots.push(rootOf('second', join(folder, 'second'), files, 'second/'))
  const { diagnostics } = loadRegistry({ roots, kinds })
  const shown = shownPath(folder)
  const output = formatDiagnostics(diagnostics, 'pretty')
    .replaceAll(`${shown}/`, '')
    .replaceAll(`\`${shown}\``, '`.`')
    .replaceAll(`${shown}:`, '.:')
  return { output: `${output}\n`, diagnostics }
}
