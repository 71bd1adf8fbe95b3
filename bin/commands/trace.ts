import type { Passed } from '../../core/handler/handler.ts'
import { askOnce, pathArgument, requestFrom, requestOptions, type RequestOptions } from './ask-once.ts'
import { choice, defineCommand } from '../command.ts'
import { print, printAs } from '../io.ts'
import { table } from '../table.ts'

const formats = ['text', 'json'] as const

export const trace = defineCommand<[url: string], RequestOptions & { format: (typeof formats)[number] }>({
  name: 'trace',
  group: 'look',
  summary: 'Answer one request and print the stages that it passed.',
  description: [
    'Answers one request without a server and prints each stage: where it is declared or written, its time, and what it decided.',
    'Stages of surfaces that another one asks are indented. Stores are opened only where code answers; those of a service that runs are shared.'
  ],
  arguments: [pathArgument()],
  options: [...requestOptions(), choice('--format <format>', 'Form of the stages.', formats, 'text')],
  examples: [
    ['pantry trace /api/v1/status', 'What happens to a request.'],
    ["pantry trace '/api/v1/changelog?limit=x'", 'Where a request is refused.']
  ],
  exits: {
    1: 'The status of the answer is 400 or more, or the manifests have errors.',
    3: 'A store cannot be opened.'
  },
  async run([url], options, io) {
    const { createTracer, placeOf } = await import('../trace.ts')
    const asked = requestFrom(url, options)
    const { route: match, answer, passed, roots } = await askOnce(asked, options.root, io, { watchOf: createTracer })
    const surface = match !== undefined && 'value' in match ? match.value.surface : undefined
    const route: Passed = {
      stage: 'route',
      depth: 0,
      ms: 0,
      where: surface === undefined ? '' : placeOf(roots, surface, 'route'),
      decided: surface === undefined ? 'no surface has this path and method' : `leads to ${surface.id}`
    }
    const stages = [route, ...passed]
    printAs(io.stdout, options.format, { status: answer.status, bytes: answer.body.length, stages }, () =>
      table(
        ['STAGE', 'MS', 'WHERE', 'DECIDED'],
        stages.map(({ stage, depth, ms, where, decided }) => [
          `${'  '.repeat(depth)}${stage}`,
          stage === 'route' ? '' : ms.toFixed(2),
          where,
          decided
        ])
      )
    )
    if (options.format === 'text')
      print(io.stderr, `${asked.method} ${url} answers ${answer.status} with ${answer.body.length} bytes`)
    return answer.status >= 400 ? 1 : 0
  }
})
