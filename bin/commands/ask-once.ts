import { Argument, Option } from 'commander'
import type { Passed } from '../../core/handler/handler.ts'
import type { Generation } from '../../core/plan/generation.ts'
import { noopTracer, type Answer, type Tracer } from '../../core/plan/request.ts'
import type { RouteMatch } from '../../core/plan/dispatch.ts'
import type { Plan } from '../../core/plan/answer.ts'
import type { DirectRequest } from '../ask.ts'
import { choice, rootOption, type RootOptions } from '../command.ts'
import { readConfig, UsageError } from '../config.ts'
import { print, type Io } from '../io.ts'
import type { LoadedRoot } from '../roots.ts'

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type RequestOptions = RootOptions & {
  method?: (typeof methods)[number]
  data?: string
  header: readonly string[]
}

export const pathArgument = (): Argument =>
  new Argument('<url-path>', 'Path with its query, such as /api/v1/manifest?format=md.')

export const requestOptions = (): readonly Option[] => [
  rootOption(),
  choice('--method <method>', 'Default GET, or POST with --data.', methods),
  new Option('--data <json>', 'Body of the request.'),
  new Option('--header <name: value>', 'Header of the request; may be given several times.')
    .argParser((line: string, before: readonly string[]) => [...before, line])
    .default([], 'none')
]

function headersOf(lines: readonly string[], hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = hasBody ? { 'content-type': 'application/json' } : {}
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`\`--header\` takes \`Name: value\`, but it is \`${line}\`.`)
    headers[name.toLowerCase()] = value
  }
  return headers
}

export function requestFrom(url: string, { method, data, header }: RequestOptions): DirectRequest {
  if (!url.startsWith('/')) throw new UsageError(`The path must begin with \`/\`, but it is \`${url}\`.`)
  return {
    method: method ?? (data === undefined ? 'GET' : 'POST'),
    url,
    headers: headersOf(header, data !== undefined),
    body: data === undefined ? undefined : Buffer.from(data)
  }
}

/** `route` is undefined if no surface has the path. */
type AskedOnce = Readonly<{
  answer: Answer
  route: RouteMatch<Plan>
  roots: readonly LoadedRoot[]
  /** The stages that the request passed; empty unless `watchOf` returned a watch that records them. */
  passed: readonly Passed[]
}>

type Receivers = Readonly<{
  /** Returns what observes the stages of the answer. */
  watchOf?: (roots: readonly LoadedRoot[]) => Tracer
  /** Receives an answer that is sent while it is made. Without it, all of its body is in `answer`. */
  receive?: (answer: Answer) => Promise<void>
}>

/** Answers one request. The services of the roots are open only meanwhile, and only if the surface may use a store. */
export async function askOnce(
  given: DirectRequest,
  names: readonly string[],
  io: Io,
  { watchOf = () => noopTracer, receive }: Receivers = {}
): Promise<AskedOnce> {
  const { requireRegistry } = await import('../read-registry.ts')
  const { answerOf, beginAnswer, compileUnserved } = await import('../ask.ts')
  const { joinTables } = await import('../roots.ts')
  const { usesStores } = await import('../../core/discovery/pointers.ts')
  const { withBaseUrl } = await import('../../core/registry/load.ts')
  const { placeOf } = await import('../../core/registry/place.ts')
  const config = readConfig(io.env)
  const loaded = await requireRegistry(names, io)
  const { roots } = loaded
  const registry = config.baseUrl === undefined ? loaded.registry : withBaseUrl(loaded.registry, config.baseUrl)
  // A path may be given without the one that the service is under.
  const asked = { ...given, url: placeOf(registry)(given.url) }
  const onFault = (error: unknown): void => {
    print(io.stderr, error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  const watch = watchOf(roots)
  const unserved = compileUnserved(registry, joinTables(roots), {}, { onFault, watch })
  const route = unserved.index.find(asked.method, asked.url.split('?')[0] ?? '/')
  const answered = async (generation: Generation): Promise<AskedOnce> => {
    const { outcome, passed } = watch.during(() =>
      receive === undefined ? answerOf(generation, asked) : beginAnswer(generation, asked)
    )
    const answer = await outcome
    if (answer.stream !== undefined) await receive?.(answer)
    return { route, roots, passed, answer }
  }
  if (route === undefined || !('value' in route) || !usesStores(route.value.surface)) return await answered(unserved)

  const { openServices } = await import('../open-services.ts')
  const { createLog } = await import('../../core/http/log.ts')
  const { createProgress } = await import('../progress.ts')
  const log = createLog(config.logLevel, io.stderr)
  const opened = await openServices(roots, registry, config, log, { checkRows: true, share: true, isPatient: true })
  try {
    await opened.prepare(createProgress(io.stderr))
    const { services, tables, once } = opened
    return await answered(compileUnserved(registry, joinTables(roots), services, { onFault, watch, tables, once }))
  } finally {
    await opened.close()
  }
}
