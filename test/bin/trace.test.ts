import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { stages } from '../../core/plan/request.ts'
import { library, pantry } from '../support/command-line.ts'

type Row = Readonly<{ stage: string; depth: number; ms: number; where: string; decided: string }>
type Traced = Readonly<{ status: number; bytes: number; stages: readonly Row[] }>

const traced = async (...args: readonly string[]): Promise<Traced> =>
  JSON.parse((await pantry(['trace', ...args, '--root', library, '--format', 'json'])).stdout) as Traced

t.test('a request is shown as the stages that it passed, each with its place and what it decided', async t => {
  const { status, bytes, stages: rows } = await traced('/api/v1/library/books?limit=2')
  t.equal(status, 200)
  t.ok(bytes > 100)
  const manifest = join(library, 'manifests/books.yaml')
  t.match(rows, [
    { stage: 'route', where: `${manifest}:2`, decided: 'leads to books' },
    { stage: 'access', decided: 'lets in anyone' },
    { stage: 'input', decided: /limit = 2/ },
    { stage: 'format', decided: 'json' }
  ])
  t.match(rows.find(({ stage }) => stage === 'content')?.decided, /^status 200, \d+ entries of /)
  t.match(rows.find(({ stage }) => stage === 'head')?.decided, /^status 200; .*ETag: /)
  t.strictSame(
    rows.filter(({ stage }) => stage !== 'route' && !(stages as readonly string[]).includes(stage)),
    [],
    'no other stages'
  )
  for (const { where } of rows) t.match(where, /\.yaml(?::\d+)?$/)
})

t.test('a refusal is shown where it happens, and the command ends with 1', async t => {
  const { status, stages: rows } = await traced('/api/v1/library/books?limit=x')
  t.equal(status, 400)
  t.match(rows.at(-1), { stage: 'input', decided: /^refused: INVALID_INPUT: / })
  t.match(await pantry(['trace', '/no/such/path', '--root', library]), {
    code: 1,
    stdout: /^STAGE +MS +WHERE +DECIDED\nroute +no surface has this path and method\n$/,
    stderr: 'GET /no/such/path answers 404 with '
  })
})

t.test('code is shown with its file and line', async t => {
  const outcome = await pantry(['trace', '/api/v1/status'])
  t.equal(outcome.code, 0)
  t.match(outcome.stdout, /\ncontent +[\d.]+ +\S+:\d+ +status 200\n/)
  const { stdout } = await pantry(['trace', '/api/v1/universal/encoding', '--format', 'json'])
  const { stages: rows } = JSON.parse(stdout) as Traced
  const [file = '', line] = rows.find(({ stage }) => stage === 'content')?.where.split(':') ?? []
  const above = readFileSync(file, 'utf8').split('\n').slice(0, Number(line))
  t.match(
    above.findLast(text => text.startsWith('export ')),
    'export const encoding =',
    'of the export'
  )
  t.match(above.at(-1), 'derive')
})
