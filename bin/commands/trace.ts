import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../core/canonical/json.ts'
import type { Surface } from '../../core/manifest/surface.ts'
import type { Stage } from '../../core/plan/watch.ts'
import { readYaml } from '../../core/source/read-yaml.ts'
import { askOnce, pathArgument, requestFrom, requestOptions, type AskedOnce, type RequestOptions } from '../ask-once.ts'
import { choice, defineCommand } from '../command.ts'
import { print, printJson } from '../output/io.ts'
import { table } from '../output/table.ts'

const formats = ['text', 'json'] as const

/** The key of a manifest that decides what happens at a stage, where it is given. */
const keys: Readonly<Record<Stage | 'route', readonly string[]>> = {
  route: ['path'],
  access: ['access'],
  input: ['query', 'params', 'filters', 'path'],
  format: ['formats'],
  language: ['corpus'],
  version: ['kind'],
  content: ['kind'],
  body: ['contract'],
  head: ['cache', 'freshness']
}

/** Where code answers. */
const answering = /^\s*(?:async )?(?:handle|derive|view|page)\b/

/** `file:line` of what decides at a stage: of a manifest, or of the code that it has. */
function placeOf({ roots }: AskedOnce, { id, origin: { file } }: Surface, stage: Stage | 'route'): string {
  const written = roots.flatMap(root => root.handlerFiles.get(id) ?? [])[0]
  if (stage === 'content' && written !== undefined && existsSync(written)) {
    const at = readFileSync(written, 'utf8')
      .split('\n')
      .findIndex(line => answering.test(line))
    return `${written}:${at + 1 || 1}`
  }
  const source = readYaml(file, readFileSync(file))
  const given = isObject(source.value) ? source.value : {}
  const key = keys[stage].find(name => name in given)
  return key === undefined ? join(file) : `${file}:${source.locate([key], 'key').line}`
}

export const trace = defineCommand<[url: string], RequestOptions & { format: (typeof formats)[number] }>({
  name: 'trace',
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
    const { createTracer } = await import('../trace.ts')
    const { watch, passed } = createTracer()
    const asked = requestFrom(url, options)
    const found = await askOnce(asked, options.root, io, watch)
    const { route, answer } = found
    const surface = route !== undefined && 'value' in route ? route.value.surface : undefined
    const led = surface === undefined ? 'no surface has this path and method' : `leads to ${surface.id}`
    const stages = [
      {
        stage: 'route',
        depth: 0,
        ms: 0,
        where: surface === undefined ? '' : placeOf(found, surface, 'route'),
        decided: led
      },
      ...passed.map(({ surface: of, stage, depth, ms, decided }) => ({
        stage,
        depth,
        ms,
        where: placeOf(found, of, stage),
        decided
      }))
    ]
    if (options.format === 'json') printJson(io.stdout, { status: answer.status, bytes: answer.body.length, stages })
    else {
      print(
        io.stdout,
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
      print(io.stderr, `${asked.method} ${url} answers ${answer.status} with ${answer.body.length} bytes`)
    }
    return answer.status >= 400 ? 1 : 0
  }
})
