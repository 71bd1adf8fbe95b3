import { Argument, Option } from 'commander'
import type { Answer } from '../../core/plan/request.ts'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { readConfig, UsageError, type Config } from '../config.ts'
import { print, type Io } from '../output/io.ts'

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

type Options = RootOptions & {
  method?: (typeof methods)[number]
  data?: string
  header: readonly string[]
  include?: true
}

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

const headText = ({ status, head }: Answer, reason: string): string => `HTTP/1.1 ${status} ${reason}\r\n${head}\r\n`

/** Answers one request. Stores are opened for a surface with code alone, and closed again. */
async function request(url: string, method: string, options: Options, config: Config, io: Io): Promise<Answer> {
  const { requireRegistry } = await import('../require-registry.ts')
  const { answerOf, compileUnserved } = await import('../ask.ts')
  const { joinTables } = await import('../roots.ts')
  const { usesStores } = await import('../../core/discovery/pointers.ts')
  const loaded = await requireRegistry(options.root, io)
  const { roots } = loaded
  const { withBaseUrl } = await import('../../core/registry/load.ts')
  const registry = config.baseUrl === undefined ? loaded.registry : withBaseUrl(loaded.registry, config.baseUrl)
  const body = options.data === undefined ? undefined : Buffer.from(options.data)
  const asked = { method, url, headers: headersOf(options.header, body !== undefined), body }
  const onFault = (error: unknown): void => {
    print(io.stderr, error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  const unserved = compileUnserved(registry, joinTables(roots), {}, onFault)
  const match = unserved.index.find(method, url.split('?')[0] ?? '/')
  if (match === undefined || !('value' in match) || !usesStores(match.value.surface)) return answerOf(unserved, asked)

  const { openServices } = await import('../open-services.ts')
  const { createLog } = await import('../../core/http/log.ts')
  const { createProgress } = await import('../progress.ts')
  const opened = await openServices(roots, registry, config, createLog(config.logLevel, io.stderr), {
    checkRows: true,
    share: true
  })
  try {
    await opened.prepare(createProgress(io.stderr))
    return await answerOf(compileUnserved(registry, joinTables(roots), opened.services, onFault), asked)
  } finally {
    await opened.close()
  }
}

export const get = defineCommand<[url: string], Options>({
  name: 'get',
  summary: 'Answer one request without a server.',
  description: [
    'Answers one request from the compiled plans, as the server would, and prints the body on stdout.',
    'Stores are opened, and filled the first time, only where code answers; those of a service that runs are shared.'
  ],
  arguments: [new Argument('<url-path>', 'Path with its query, such as /api/v1/manifest?format=md.')],
  options: [
    rootOption(),
    choice('--method <method>', 'Default GET, or POST with --data.', methods),
    new Option('--data <json>', 'Body of the request.'),
    new Option('--header <name: value>', 'Header of the request; may be given several times.')
      .argParser((line: string, before: readonly string[]) => [...before, line])
      .default([], 'none'),
    new Option('--include', 'Print the status and the headers before the body.')
  ],
  examples: [
    ['pantry get /api/v1/status', 'One answer.'],
    ["pantry get '/api/v1/changelog?format=md' --include", 'With status and headers.'],
    [
      'pantry get /api/v1/encounter --data \'{"seer_label":"a reader","seen_label":"a writer"}\'',
      'A POST with a JSON body.'
    ]
  ],
  exits: {
    1: 'The status of the answer is 400 or more, or the manifests have errors.',
    3: 'A store cannot be opened.'
  },
  async run([url], options, io) {
    if (!url.startsWith('/')) throw new UsageError(`The path must begin with \`/\`, but it is \`${url}\`.`)
    const method = options.method ?? (options.data === undefined ? 'GET' : 'POST')
    const answer = await request(url, method, options, readConfig(io.env), io)
    if (options.include === true) {
      const { STATUS_CODES } = await import('node:http')
      io.stdout.write(headText(answer, STATUS_CODES[answer.status] ?? ''))
    }
    if (method !== 'HEAD' && answer.body.length > 0) {
      io.stdout.write(typeof answer.body === 'string' ? Buffer.from(answer.body, answer.encoding) : answer.body)
      if (io.stdout.isTTY) io.stdout.write('\n')
    }
    return answer.status >= 400 ? 1 : 0
  }
})
