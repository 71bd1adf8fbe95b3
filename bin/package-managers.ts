import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the folder and all its parents, the nearest first. */
export const foldersUp = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersUp(dirname(folder))]

export type PackageManager = Readonly<{
  name: string
  locks: readonly string[]
  /** Arguments that add a package. */
  add: readonly string[]
  /** Flag that adds the package as a development dependency. */
  addForBuild: string
  /** Flag that forbids the install script of a package, for managers whose install fails until that is decided. */
  deny?: (name: string) => string
  /** Runs the script `test`; Bun's own `test` command is something else. */
  test: string
}>

const npm: PackageManager = {
  name: 'npm',
  locks: ['package-lock.json', 'npm-shrinkwrap.json'],
  add: ['install', '--save-exact'],
  addForBuild: '--save-dev',
  test: 'npm test'
}

export const packageManagers: readonly PackageManager[] = [
  npm,
  {
    name: 'pnpm',
    locks: ['pnpm-lock.yaml'],
    add: ['add', '--save-exact'],
    addForBuild: '--save-dev',
    deny: name => `--allow-build=!${name}`,
    test: 'pnpm test'
  },
  { name: 'yarn', locks: ['yarn.lock'], add: ['add', '--exact'], addForBuild: '--dev', test: 'yarn test' },
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], add: ['add', '--exact'], addForBuild: '--dev', test: 'bun run test' }
]

/**
 * Returns the package manager that a text names, such as `pnpm@10.1.0` in package.json or `pnpm/10.1.0 node/v22.1.0` in
 * `npm_config_user_agent`.
 */
const named = (words: unknown): PackageManager | undefined =>
  packageManagers.find(({ name }) => typeof words === 'string' && words.split(/[@/]/)[0] === name)

function declaredIn(folder: string): PackageManager | undefined {
  try {
    return named(
      (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { packageManager?: unknown }).packageManager
    )
  } catch {
    return undefined
  }
}

/**
 * Returns the package manager that the nearest folder from `folder` upwards declares in its package.json or has a
 * lockfile of; else the one that runs this process, or npm.
 */
export const packageManagerOf = (folder: string, env: Environment): PackageManager => {
  for (const up of foldersUp(folder)) {
    const found = declaredIn(up) ?? packageManagers.find(({ locks }) => locks.some(lock => existsSync(join(up, lock))))
    if (found !== undefined) return found
  }
  return named(env['npm_config_user_agent']) ?? npm
}
