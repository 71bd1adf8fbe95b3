import t from 'tap'
import { library, pantry, type Outcome } from '../support/command-line.ts'

const list = (...args: string[]): Promise<Outcome> => pantry(['list', '--root', library, ...args])
const names = async (...args: string[]): Promise<string[]> =>
  (await list('--format', 'names', ...args)).stdout.trimEnd().split('\n')

t.test("a table of every surface, the framework's own too", async t => {
  const { code, stdout, stderr } = await list()
  t.equal(code, 0)
  t.equal(stderr, '')
  const [header, ...rows] = stdout.trimEnd().split('\n')
  t.match(header, /^METHOD +PATH +KIND +ACCESS +FRESHNESS +LICENSE +STABILITY +ID$/)
  t.ok(
    rows.some(row =>
      /^GET\|POST +\/api\/v1\/library\/loans +status-only +public +status +CC0-1.0 +stable +loans$/.test(row)
    )
  )
  t.ok(rows.some(row => row.endsWith(' openapi')))
})

t.test('filters combine with AND', async t => {
  t.strictSame(await names('--path', '/api/v1/library/', '--kind', 'collection'), ['books', 'branches', 'today'])
  t.strictSame(await names('--license', 'NOASSERTION'), ['reading-note.post'])
  t.strictSame(await names('--stability', 'deprecated'), [''])
  t.strictSame(await names('--access', 'public', '--kind', 'entry'), ['book'])
  t.match(await list('--license', 'MIT'), {
    code: 2,
    stderr: /There is no license tier `MIT`. Tiers: CC0-1.0, NOASSERTION/
  })
})

t.test('JSON and CSV hold the same surfaces', async t => {
  const json = JSON.parse((await list('--format', 'json')).stdout) as {
    id: string
    methods: string[]
    formats: string[]
  }[]
  t.match(
    json.find(({ id }) => id === 'loans'),
    { methods: ['GET', 'POST'], path: '/api/v1/library/loans', formats: ['json'] }
  )
  const csv = (await list('--format', 'csv')).stdout.split('\r\n')
  t.equal(csv[0], 'method,path,kind,access,freshness,license,stability,id')
  t.strictSame(
    csv.slice(1, -1).map(line => line.split(',').at(-1)),
    json.map(({ id }) => id)
  )
})

t.test('the summary counts kinds and what is declared', async t => {
  const { stdout } = await list('--summary')
  t.match(stdout, /^collection +3$/m)
  const all = await names()
  const documents = [...(await names('--kind', 'discovery')), ...(await names('--kind', 'page'))]
  t.match(
    stdout,
    new RegExp(`^${all.length - documents.length} of ${all.length} surfaces declared without code \\(\\d+ %\\)$`, 'm'),
    'discovery documents and their pages are code of the framework'
  )
  t.match(JSON.parse((await list('--summary', '--path', '/api/v1/library/', '--format', 'json')).stdout), {
    total: 6,
    declared: 6,
    declared_share: 1,
    by_kind: { witness: 1, handler: 0 }
  })
})
