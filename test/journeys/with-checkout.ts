import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { packageFolder } from '../../bin/project.ts'
import { eventually as again } from '../support/eventually.ts'
import { holds, type Started, type Travel } from './journey.ts'

/** The program of this checkout, as somebody runs it who has built it: `npm run journeys` has. */
export const pantry = `node ${join(packageFolder, 'dist', 'bin', 'pantry.js')}`

/** Where a service of a journey keeps what it stores. */
export const dataOf = ({ folder }: Pick<Travel, 'folder'>): string => join(folder, 'data')

/** Serves the cards that come with Pantry, from this checkout, and waits until they can be read. */
export async function serveCards(travel: Travel, env: NodeJS.ProcessEnv = {}): Promise<Started> {
  const started = await travel.start(`exec ${pantry} serve`, {
    cwd: packageFolder,
    env: { PANTRY_DATA_DIR: dataOf(travel), ...env }
  })
  await eventually('the catalogue can be read', async () => (await fetch(`${started.url}/readyz`)).ok)
  return started
}

/** Asks again until something holds; throws after a minute. */
export async function eventually(what: string, ask: () => Promise<unknown>): Promise<void> {
  await again(async () => {
    const found = await ask()
    holds(found !== false && found !== undefined && found !== null, what)
  }, 60)
}

/** A copy of what is committed here, without packages and never built, as somebody has it after `git clone`. */
export function freshClone({ folder }: Pick<Travel, 'folder'>): string {
  const clone = join(folder, 'pantry')
  execFileSync('git', ['clone', '--quiet', '--no-local', packageFolder, clone], {
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const shared = resolve(packageFolder, '..', 'shared')
  if (existsSync(shared)) symlinkSync(shared, join(dirname(clone), 'shared'))
  return clone
}

/** The tarball that `npm run pack` makes of this checkout, which is built already: its file. */
export async function packed({ shell, folder }: Travel): Promise<string> {
  const [, file = ''] =
    /^(\S+\.tgz)$/m.exec(
      await shell(`node ${join('dist', 'bin', 'release', 'pack.js')} ${folder}`, { cwd: packageFolder })
    ) ?? []
  return file
}

/** The same as whoever has built it: the code is that of this checkout, and what is not committed here is not in it. */
export function builtClone(travel: Pick<Travel, 'folder'>): string {
  const clone = freshClone(travel)
  cpSync(join(packageFolder, 'dist'), join(clone, 'dist'), { recursive: true })
  symlinkSync(join(packageFolder, 'node_modules'), join(clone, 'node_modules'))
  return clone
}

/** Replaces a text that stands once in a file, as an editor does. */
export function edit(file: string, find: string, replace: string): void {
  const text = readFileSync(file, 'utf8')
  holds(text.split(find).length === 2, `${file} has \`${find}\` once`)
  writeFileSync(
    file,
    text.replace(find, () => replace)
  )
}

/** What a service answers at a path, as JSON; throws unless the status is the one that is awaited. */
export async function answer<T>(
  { url }: Pick<Started, 'url'>,
  path: string,
  init: RequestInit & { status?: number } = {}
): Promise<T> {
  const { status = 200, ...rest } = init
  const response = await fetch(url + path, rest)
  const text = await response.text()
  holds(response.status === status, `${path} is ${status}, not ${response.status}: ${text.slice(0, 500)}`)
  return (response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text) as T
}
