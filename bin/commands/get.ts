import { Option } from 'commander'
import type { Answer } from '../../core/plan/request.ts'
import { askOnce, pathArgument, requestFrom, requestOptions, type RequestOptions } from './ask-once.ts'
import { defineCommand } from '../command.ts'

type Options = RequestOptions & { include?: true }

const headText = ({ status, head }: Answer, reason: string): string => `HTTP/1.1 ${status} ${reason}\r\n${head}\r\n`

export const get = defineCommand<[url: string], Options>({
  name: 'get',
  group: 'look',
  summary: 'Answer one request without a server.',
  description: [
    'Answers one request from the compiled plans, as the server would, and prints the body on stdout.',
    'Stores are opened, and filled the first time, only where code answers; those of a service that runs are shared.'
  ],
  arguments: [pathArgument()],
  options: [...requestOptions(), new Option('--include', 'Print the status and the headers before the body.')],
  examples: [
    ['pantry get /api/v1/status', 'One answer.'],
    ["pantry get '/api/v1/changelog?format=md' --include", 'With status and headers.'],
    [
      'pantry get /api/v1/encounter --data \'{"seer_label":"a reader","seen_label":"a writer"}\'',
      'A POST with a JSON body.'
    ]
  ],
  exits: {
    1: 'The status of the answer is 400 or more, it was cut, or the manifests have errors.',
    3: 'A store cannot be opened.'
  },
  async run([url], options, io) {
    const asked = requestFrom(url, options)
    const { STATUS_CODES } = await import('node:http')
    const { pipeline } = await import('node:stream/promises')
    const writeHead = (answer: Answer): void => {
      if (options.include === true) io.stdout.write(headText(answer, STATUS_CODES[answer.status] ?? ''))
    }
    const receive = async (answer: Answer): Promise<void> => {
      writeHead(answer)
      // Why a stream was cut is printed where that is noticed.
      await pipeline(answer.stream ?? [], io.stdout, { end: false }).catch(() => undefined)
    }
    const { answer } = await askOnce(asked, options.root, io, { receive })
    if (answer.stream !== undefined) return answer.stream.errored === null ? 0 : 1
    writeHead(answer)
    if (asked.method !== 'HEAD' && answer.body.length > 0) {
      io.stdout.write(typeof answer.body === 'string' ? Buffer.from(answer.body, answer.encoding) : answer.body)
      if (io.stdout.isTTY) io.stdout.write('\n')
    }
    return answer.status >= 400 ? 1 : 0
  }
})
