// test: long. Clients that the compiler reads whole.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { packageFolder } from '../../../bin/project.ts'
import { clientFiles } from '../../../bin/client/files.ts'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { build } from '../../core/discovery/fixture.ts'
import { library, registryOf } from '../../support/registry.ts'
import { serveLibrary } from '../../support/serve-root.ts'

const about = { version: '1.2.3', license: 'MIT', engines: { node: '>=20' } }
const filesOf = async (name: string, root: string, baseUrl?: string): Promise<Record<string, string>> => ({
  ...clientFiles(build('openapi', { registry: (await registryOf([root], baseUrl)).registry }) as JsonObject, {
    name,
    ...about
  })
})

t.test(
  'the client of a service compiles under strict, its calls answer what their types say, and a wrong call does not compile',
  async t => {
    const { url } = await serveLibrary(t)
    const compiler = join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc')
    /** What the compiler says of projects that have most of their files in common: it reads these once. */
    const compiled = (...projects: readonly string[]): Promise<string> =>
      promisify(execFile)(process.execPath, [compiler, '-b', ...projects]).then(
        ({ stdout }) => stdout,
        (error: unknown) => (error as { stdout: string }).stdout
      )
    const options = {
      strict: true,
      skipDefaultLibCheck: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: 'ES2022',
      module: 'nodenext',
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      types: []
    }
    const folder = t.testdir({
      'package.json': '{ "type": "module" }',
      'tsconfig.json': JSON.stringify({
        compilerOptions: options,
        files: ['consumer.ts', 'signal.ts', 'node_modules/cards-client/index.d.ts']
      }),
      'signal.ts': `import { createClient } from 'library-client'\nexport const soon = createClient({ fetch: globalThis.fetch }).get_robots({}, { signal: AbortSignal.timeout(1_000) })\n`,
      'consumer.ts': readFileSync(join(packageFolder, 'test/bin/client/consumer.txt'), 'utf8'),
      node_modules: {
        'library-client': await filesOf('library-client', library),
        'cards-client': await filesOf('cards-client', '.')
      }
    })
    const withoutDom = (
      [
        ['bare', []],
        ['node', [join(packageFolder, 'node_modules/@types/node')]]
      ] as const
    ).map(([name, types]) => {
      const project = join(folder, `tsconfig.${name}.json`)
      writeFileSync(
        project,
        JSON.stringify({
          compilerOptions: { ...options, lib: ['ES2022'], types, noEmit: true },
          files: ['consumer.ts', ...(name === 'node' ? ['signal.ts'] : [])]
        })
      )
      return project
    })
    t.equal(await compiled(join(folder, 'tsconfig.json'), ...withoutDom), '', 'with lib.dom and without')
    const { answersOf } = (await import(pathToFileURL(join(folder, 'consumer.js')).href)) as {
      answersOf: (baseUrl: string) => Promise<object>
    }
    t.strictSame(await answersOf(url), {
      isbn: '9780141439600',
      title: 'A Tale of Two Cities',
      robots: true,
      note: 'Read it twice.',
      persisted: false,
      refused: [404, 'NOT_FOUND', true]
    })
  }
)

t.test('the package says what it is, needs nothing, and asks the origin of its contract', async t => {
  const files = await filesOf('library-client', library, 'https://library.example')
  const { dependencies, ...said } = JSON.parse(files['package.json'] ?? '') as {
    name: string
    types: string
    files: readonly string[]
    dependencies?: object
  }
  t.match(said, { name: 'library-client', types: './index.d.ts', ...about })
  t.equal(dependencies, undefined)
  t.strictSame([...said.files, 'README.md', 'package.json'].sort(), Object.keys(files).sort())
  t.match(files['index.js'], '"https://library.example"')
  t.match(files['README.md'], /await client\.get_root\(\)/)
})

t.test('the client of a service under a path asks below it, and the origin for what belongs to that', async t => {
  const folder = t.testdir({
    'package.json': '{ "type": "module" }',
    ...(await filesOf('under-client', library, 'https://data.example.org/pantry'))
  })
  const { createClient } = (await import(pathToFileURL(join(folder, 'index.js')).href)) as {
    createClient: (options: object) => Record<string, () => Promise<unknown>>
  }
  const asked: string[] = []
  const fetch = (url: string): Promise<Response> => {
    asked.push(url)
    return Promise.resolve(Response.json({}))
  }
  for (const options of [
    { fetch },
    { fetch, baseUrl: 'https://other.example/a/b/' },
    { fetch, baseUrl: 'https://x.example' }
  ]) {
    await createClient(options)['get_books']?.()
    await createClient(options)['get_robots']?.()
    await createClient(options)['get_mcp']?.()
  }
  t.same(asked, [
    'https://data.example.org/pantry/api/v1/library/books',
    'https://data.example.org/robots.txt',
    'https://data.example.org/.well-known/mcp.json',
    'https://other.example/a/b/api/v1/library/books',
    'https://other.example/robots.txt',
    'https://other.example/.well-known/mcp.json',
    'https://x.example/api/v1/library/books',
    'https://x.example/robots.txt',
    'https://x.example/.well-known/mcp.json'
  ])
})
