// test: slow.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { libraryIn, pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'

t.test('a service without mistakes keeps every promise', async t => {
  const { code, stdout, stderr } = await pantry(['test', '--root', libraryIn(join(t.testdir(), 'library'))])
  t.notMatch(stdout, /broken/)
  t.match(stderr, /7 promises kept, 0 broken/)
  t.equal(code, 0)
})

t.test('an example that is not answered as it says is named, with what was answered', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  const file = join(root, 'manifests', 'books.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('/data/returned: 2', '/data/returned: 3'))
  const { code, stdout } = await pantry(['test', '--root', root])
  t.equal(code, 1)
  t.match(stdout, /broken {2}Every example[^]*books: "Novels only"[^\n]*shows 2 at \/data\/returned instead of 3/)
  t.match(stdout, /manifests\/books\.yaml:\d+: books/, 'at its place')
  const validated = await pantry(['validate', '--examples', '--root', root])
  t.equal(validated.code, 1)
  t.match(validated.stdout, /books\.yaml:\d+:\d+: error\[X101\]: [^\n]*instead of 3\.?\n[^]*\/data\/returned: 3/)
  t.equal((await pantry(['validate', '--root', root])).code, 0, 'without --examples nothing is run')
})

t.test('a claim that is not so is named, and what nobody can ask is counted', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  const folder = join(root, 'claims', 'manifests')
  mkdirSync(folder, { recursive: true })
  const claims = (novels: number): string =>
    [
      `- { says: newest first, path: '/api/v1/library/books?genre=novel', shows: { /data/returned: ${novels} } }`,
      "- { says: newest first, as: user, path: '/api/v1/library/books' }"
    ].join('\n')
  writeFileSync(join(folder, 'books.yaml'), claims(2))
  t.match(await pantry(['test', '--root', root]), {
    code: 0,
    stdout: /kept {4}What the texts claim of the service is so\./,
    stderr: /note: 1 claim is not tried here/
  })
  writeFileSync(join(folder, 'books.yaml'), claims(3))
  const { code, stdout } = await pantry(['test', '--root', root])
  t.equal(code, 1)
  t.match(stdout, /books\.yaml:1: "newest first" \([^)]*genre=novel\) shows 2 at \/data\/returned instead of 3/)
  t.match((await pantry(['validate', '--examples', '--root', root])).stdout, /books\.yaml:1:5: error\[X204\]/)
  writeFileSync(join(folder, 'books.yaml'), claims(2).replace('newest first', 'oldest first'))
  t.match(await pantry(['validate', '--root', root]), { code: 1, stdout: /books\.yaml:1:\d+: error\[X202\]/ })
  t.match(await pantry(['test', '--root', root]), { code: 1, stderr: /X202/ })
})

t.test('what examples answer is recorded, and shown in OpenAPI', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  t.equal((await pantry(['test', '--record', '--root', root])).code, 0)
  const recorded = JSON.parse(readFileSync(join(root, 'manifests', 'examples.json'), 'utf8')) as Record<string, unknown>
  t.match(recorded['GET /api/v1/library/books?genre=novel'], { returned: 2 })
  t.notMatch(JSON.stringify(recorded), /127\.0\.0\.1:[0-9]/, 'no address of the test')
  const { stdout } = await pantry(['get', '/api/openapi.json', '--root', root])
  const { paths } = JSON.parse(stdout) as {
    paths: Record<
      string,
      {
        get: {
          responses: Record<
            string,
            { content: Record<string, { examples: { recorded: { value: { data: unknown; _meta: object } } } }> }
          >
        }
      }
    >
  }
  const shown =
    paths['/api/v1/library/books']?.get.responses['200']?.content['application/json']?.examples.recorded.value
  t.ok(Object.values(recorded).some(one => JSON.stringify(one) === JSON.stringify(shown?.data)))
  t.ok('request_id' in (shown?._meta ?? {}))
})

t.test('mistakes of the manifests come instead', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  writeFileSync(join(root, 'manifests', 'books.yaml'), 'kind: nothing\n')
  t.match(await pantry(['test', '--root', root]), { code: 1, stdout: '', stderr: /The manifests have errors:[^]*M201/ })
})

const lie =
  "export default { reply: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }, handle: () => ({ data: { a: 1, extra: true } }) }\n"

/** The library with a handler of this code, and services where they are given. */
function withHandler(folder: string, handler: string, services?: string): string {
  const root = libraryIn(folder)
  writeFileSync(
    join(root, 'manifests', 'told.yaml'),
    `
kind: handler
path: /api/v1/told
summary: What a handler says.
tags: [library]
access: public
carries_pii: false
requires_consent: false
freshness: status
license: CC0-1.0
sources: [self]
provenance: computed
since: 2026-11-20
contract: envelope
examples:
  - title: It answers
    expect: { shows: { /data/a: 1 } }
`
  )
  mkdirSync(join(root, 'surfaces', 'handlers'), { recursive: true })
  writeFileSync(join(root, 'surfaces', 'handlers', 'told.js'), handler)
  if (services !== undefined) writeFileSync(join(root, 'surfaces', 'services.js'), services)
  return root
}

t.test('a reply with a member that its schema does not name breaks the promise', async t => {
  const { code, stdout } = await pantry(['test', '--root', withHandler(join(t.testdir(), 'library'), lie)])
  t.equal(code, 1)
  t.match(stdout, /GET \/api\/v1\/told failed: ReplyFault: The handler `told` [^]*\/extra/)
})

t.test('a fault is shown with its message and place, by the promise that met it', async t => {
  const root = withHandler(
    join(t.testdir(), 'library'),
    "export default {\n  reply: { type: 'object' },\n  handle: () => { throw new TypeError('no shelf') }\n}\n"
  )
  const { code, stdout } = await pantry(['test', '--root', root])
  t.equal(code, 1)
  t.match(
    stdout,
    /broken {2}Every example[^]*GET \/api\/v1\/told failed: TypeError: no shelf at [^\s]*library\/surfaces\/handlers\/told\.js:3:\d+/
  )
})

t.test('services that cannot be opened are named by their file, without the stack of the framework', async t => {
  const root = withHandler(
    join(t.testdir(), 'library'),
    lie,
    "export default () => {\n  throw new Error('no key in the environment')\n}\n"
  )
  for (const args of [['test'], ['serve', '--port', '0'], ['get', '/api/v1/told']]) {
    const { code, stdout, stderr } = await pantry([...args, '--root', root], { LOG_LEVEL: 'silent' })
    t.equal(code, 3, args.join(' '))
    t.equal(stdout, '')
    t.match(
      stderr,
      /error\[O901\]: [^\s]*library\/surfaces\/services\.js: Error: no key in the environment\n.*services\.js:2:\d+/
    )
    t.notMatch(stderr, /open-services/)
  }
})

t.test('a syntax error is told with its line, also where another file has it', async t => {
  const root = withHandler(join(t.testdir(), 'syntax'), "import { word } from '../word.js'\nexport default word\n")
  writeFileSync(join(root, 'surfaces', 'word.js'), 'export const word = 1\n\nexport const other = (1, 2\n')
  const { code, stdout } = await pantry(['validate', '--root', root])
  t.equal(code, 1)
  t.match(stdout, /error\[H106\]: The file cannot be imported: .+ \(.*syntax\/surfaces\/word\.js:\d\)\n/)
})

t.test('files of a root that cannot be imported are named', async t => {
  for (const name of ['services', 'corpora', 'checks', 'discovery']) {
    const root = withHandler(join(t.testdir(), name), lie)
    writeFileSync(join(root, 'surfaces', `${name}.js`), "throw new Error('not today')\n")
    const { code, stderr } = await pantry(['get', '/api/v1/told', '--root', root], { LOG_LEVEL: 'silent' })
    t.equal(code, 3)
    t.match(stderr, new RegExp(`error\\[O901\\]: [^\\s]*surfaces/${name}\\.js: Error: not today`))
  }
})

t.test('tests write nothing into the database of DATABASE_URL, but into one that is gone afterwards', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  const root = join(packageFolder, 'examples', 'incident-log')
  const databases = async (): Promise<unknown> =>
    await database.knex('pg_database').whereLike('datname', 'pantry_test_%').pluck<string[]>('datname')
  for (const command of [['test'], ['validate', '--examples']])
    t.match(await pantry([...command, '--root', root], { DATABASE_URL: url }), { code: 0 }, command.join(' '))
  t.same(await database.knex('pg_tables').where({ schemaname: 'public' }).pluck('tablename'), [])
  t.same(await databases(), [])
  t.match((await pantry(['test', '--help'])).stdout.replace(/\s+/g, ' '), /named there is never written to/)
})

t.test('a role that may make no database is told so, and nothing is written', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  const role = `reader_${randomBytes(4).toString('hex')}`
  await database.knex.raw(`create role ${role} login`)
  t.teardown(() => database.knex.raw(`drop role ${role}`))
  const root = join(packageFolder, 'examples', 'incident-log')
  const { code, stderr } = await pantry(['test', '--root', root], {
    DATABASE_URL: url.replace(/\/\/[^@]*@/, `//${role}@`)
  })
  t.equal(code, 3)
  t.match(stderr, /error\[O408\]: Tests write nothing into the database of DATABASE_URL[^\n]*42501[^]*CREATEDB/)
})

const firstBusy =
  "import { unavailable } from 'pantry/handler'\nlet calls = 0\nexport default { reply: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }, handle: () => { calls += 1; if (calls === 1) throw unavailable('Not now.', 1); return { data: { a: 1 } } } }\n"

t.test('a surface that is busy is asked again after the seconds that it names', async t => {
  const root = withHandler(join(t.testdir(), 'library'), firstBusy)
  const { code, stdout } = await pantry(['test', '--root', root])
  t.notMatch(stdout, /503/)
  t.equal(code, 0, stdout)
})
