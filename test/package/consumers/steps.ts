import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageManagers } from '../../../bin/package-managers.ts'
import { packageFolder } from '../../../bin/project.ts'
import { eventually } from '../../support/eventually.ts'
import type { Combination, Node } from './design.ts'
import { clientFiles, isTypeScript, ownFiles, programOf } from './project.ts'
import { environmentOf, run, whileListening, type Environment } from './shell.ts'

const own = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as Readonly<{
  exports: object
  dependencies: Readonly<Record<string, string>>
  devDependencies: Readonly<Record<string, string>>
}>
const names = Object.keys(own.exports).map(subpath => `pantry${subpath.slice(1)}`)

/** How each manager runs a program of an installed package. */
const runners: Readonly<Record<string, readonly string[]>> = {
  npm: ['npx', '--no-install'],
  pnpm: ['pnpm', 'exec'],
  yarn: ['yarn', '--silent', 'run'],
  bun: ['bun', 'run']
}

/**
 * Exit codes of `run start` when its group is asked to end: Pantry's, that of the signal, or what the manager says of
 * any signal.
 */
const endings: Readonly<Record<string, readonly (number | null)[]>> = {
  npm: [0, 143, null],
  pnpm: [0, 143, null],
  yarn: [0, 1],
  bun: [0, 143, null]
}

/** Work that is reported as one line, by its name. */
export type Step = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Where the tarball, the tools and the new project are. */
export type Place = Readonly<{ tarball: string; tools: string; folder: string }>

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Fails unless a text says what it must. */
function expect(text: string, ...patterns: readonly RegExp[]): void {
  for (const pattern of patterns)
    if (!pattern.test(text)) throw new Error(`Expected ${String(pattern)}, but there was:\n${text.slice(0, 2000)}`)
}

const get = async (origin: string, path: string, init: RequestInit = {}): Promise<string> => {
  const response = await fetch(origin + path, { redirect: 'manual', signal: AbortSignal.timeout(30_000), ...init })
  return `${response.status} ${response.headers.get('location') ?? ''} ${await response.text()}`
}

/** A second root: a package with what `init` wrote under other names. */
function sharedRoot(folder: string): Readonly<Record<string, string>> {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  return {
    'shared/package.json': JSON.stringify({ name: 'shared', version: '1.0.0', type: 'module' }),
    'shared/manifests/weather.yaml': read('manifests/trees.yaml').replaceAll('trees', 'weather'),
    ...Object.fromEntries(
      readdirSync(join(folder, 'corpora/trees')).map(file => [
        `shared/corpora/weather/${file}`,
        read(`corpora/trees/${file}`)
      ])
    ),
    'shared/migrations/0001_notes.js': read('migrations/0001_notes.js').replaceAll("'notes'", "'weather_notes'")
  }
}

/** A page, a form that writes a row, code with a table, content, and what came with the second root. */
async function asked(origin: string): Promise<void> {
  expect(await get(origin, '/api/v1/trees?group=large'), /^200 /, /"returned":1/)
  expect(await get(origin, '/api/v1/notes'), /^200 /, /The table works\./)
  const note = `Written at ${new Date().toISOString()}.`
  const form = { method: 'POST', headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' } }
  expect(
    await get(origin, '/notes', { ...form, body: new URLSearchParams({ text: note }).toString() }),
    /^303 \/notes /
  )
  expect(await get(origin, '/notes', { ...form, body: 'text=' }), /^400 /, /<html/)
  expect(await get(origin, '/notes'), /^200 /, new RegExp(`<li>${note}</li>`))
  for (const path of ['/api/v1/birds', '/api/v1/tools/dice', '/api/v1/weather', '/llms.txt', '/api/openapi.json', '/'])
    expect(await get(origin, path), /^200 /)
}

/** What a stranger does with the package, from an empty folder to an application of their own. */
export async function useOf(
  { manager, form, nodes }: Combination,
  { tarball, tools, folder }: Place,
  step: Step
): Promise<void> {
  const first = nodes[0] as Node
  const [project, client] = [join(folder, 'trees'), join(folder, 'client')]
  const add = packageManagers.find(({ name }) => name === manager)?.add ?? []
  const on = (node: Node) => {
    const env: Environment = environmentOf(tools, node)
    const type = (...command: readonly string[]) => run(command, { cwd: project, env })
    const pantry = (...args: readonly string[]) => type(...(runners[manager] ?? []), 'pantry', ...args)
    return { env, type, pantry, title: `Node ${node.version}: ` }
  }
  const { env, type, pantry, title } = on(first)
  const version = (name: string): string => `${name}@${{ ...own.dependencies, ...own.devDependencies }[name] ?? ''}`

  await step(`${title}install`, async () => {
    mkdirSync(project, { recursive: true })
    await type(
      manager,
      ...add,
      tarball,
      ...['koa', ...(isTypeScript(form) ? ['@types/koa', '@types/node', 'preact', 'typescript'] : [])].map(version)
    )
  })
  await step(`${title}init`, async () => {
    expect(await pantry('init', 'trees'), new RegExp(`manifests/trees\\.yaml\\n[^]*${manager} start`))
    const locks = readdirSync(project).filter(file => packageManagers.some(one => one.locks.includes(file)))
    if (locks.length !== 1 || !packageManagers.find(({ name }) => name === manager)?.locks.includes(locks[0] ?? ''))
      throw new Error(`Another manager has installed: ${locks.join(', ')}`)
  })
  await step(`${title}handler, table, page, form and a second root`, async () => {
    write(project, { ...ownFiles(form, names), ...sharedRoot(project) })
    expect(await pantry('new', 'collection', 'birds'), /manifests\/birds\.yaml\n/)
    expect(await pantry('new', 'handler', 'tools/dice'), /surfaces\/handlers\/tools\/dice\.[jt]s/)
    await type(manager, ...add, 'file:./shared')
    const file = join(project, 'package.json')
    writeFileSync(
      file,
      JSON.stringify(
        { ...(JSON.parse(readFileSync(file, 'utf8')) as object), pantry: { roots: ['.', 'shared', 'pantry/keys'] } },
        null,
        2
      )
    )
    if (isTypeScript(form)) await type(...(runners[manager] ?? []), 'tsc', '-p', '.')
    if (form === 'TypeScript nodenext') await type('node', 'dist/required.cjs')
  })
  await step(`${title}typed client without \`dom\``, async () => {
    await pantry('client', join(folder, 'made'))
    const made = await run(['npm', 'pack', '--silent', join(folder, 'made')], { cwd: folder, env })
    write(client, { ...clientFiles, 'package.json': '{ "private": true, "type": "module" }' })
    await run([manager, ...add, join(folder, made.trim().split('\n').at(-1) ?? '')], { cwd: client, env })
    for (const resolution of ['nodenext', 'bundler'])
      await run(
        [process.execPath, join(packageFolder, 'node_modules/typescript/bin/tsc'), '-p', `tsconfig.${resolution}.json`],
        { cwd: client, env }
      )
  })
  if (form === 'TypeScript bundler')
    await step(`${title}a service that begins in TypeScript`, async () => {
      const typed = join(folder, 'typed')
      const where = { cwd: typed, env }
      mkdirSync(typed)
      const inTyped = (...command: readonly string[]) => run(command, where)
      write(typed, { 'package.json': '{ "private": true }' })
      await inTyped(manager, ...add, tarball)
      expect(
        await inTyped(...(runners[manager] ?? []), 'pantry', 'init', 'trees', '--typescript'),
        /\ntsconfig\.json\n/
      )
      expect(await inTyped(...(runners[manager] ?? []), 'pantry', 'new', 'handler', 'tools/dice'), /tools\/dice\.ts/)
      expect(await inTyped(...(runners[manager] ?? []), 'pantry', 'new', 'page', 'hello'), /hello\.tsx/)
      await inTyped(manager, 'run', 'typecheck')
      await inTyped(manager, 'run', 'validate')
      await whileListening([manager, 'run', 'start'], where, endings[manager] ?? [], async origin => {
        expect(await get(origin, '/api/v1/notes'), /^200 /, /The table works\./)
        for (const path of ['/api/v1/tools/dice', '/api/v1/hello']) expect(await get(origin, path), /^200 /)
      })
      await whileListening([manager, 'run', 'dev'], where, endings[manager] ?? [], async origin => {
        const file = join(typed, 'surfaces/handlers/notes.ts')
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace(
            'return reply({ notes })',
            'return reply({ notes: notes.map(note => ({ ...note, text: `${note.text} Still.` })) })'
          )
        )
        await eventually(async () => {
          expect(await get(origin, '/api/v1/notes'), /^200 /, /The table works\. Still\./)
        }, 60)
      })
    })

  for (const node of nodes) {
    const { env, type, pantry, title } = on(node)
    await step(`${title}validate`, async () => {
      // The texts of the template are still there, which is all that is to be told.
      const said = await pantry('validate')
      expect(said, / 0 errors, /)
      if (/warning\[(?!M446\])/.test(said)) throw new Error(said)
    })
    await step(`${title}serve, and the client asks`, () =>
      whileListening([manager, 'run', 'start'], { cwd: project, env }, endings[manager] ?? [], async origin => {
        await asked(origin)
        const [key = ''] = /^pantry_key_[\w-]{49}$/m.exec(await pantry('keys', 'issue', '--name', 'A stranger')) ?? []
        expect(await get(origin, '/api/v1/survey'), /^401 /)
        expect(await get(origin, '/api/v1/survey', { headers: { Authorization: `Bearer ${key}` } }), /^200 /)
        expect(
          await run(['node', 'call.mjs', origin], { cwd: client, env }),
          /^The first entry; Written by the client\.; 400$/
        )
      })
    )
    await step(`${title}migrate status`, async () => {
      expect(await pantry('migrate', 'status'), /0001_notes +done[^]*shared\/0001_notes +done/)
    })
    await step(`${title}test`, async () => {
      expect(await type(manager, 'run', 'test'), /(?:#|ℹ) pass 8\n/, /(?:#|ℹ) fail 0\n/)
    })
    await step(`${title}mount in Koa`, () =>
      whileListening(['node', programOf(form)], { cwd: project, env }, [0], async origin => {
        expect(await get(origin, '/own'), /^200  Mine\.$/)
        expect(await get(origin, '/api/v1/lost'), /^404 /, /"error"/)
        await asked(origin)
      })
    )
  }
}
