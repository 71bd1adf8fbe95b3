import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldersUp } from './project.ts'

/** A package manager of a project and its commands. */
export type PackageManager = Readonly<{
  name: string
  locks: readonly string[]
  /** The arguments that add a package. */
  add: readonly string[]
  /** The flag that adds a package as a development dependency. */
  addForBuild: string
  /**
   * Returns the flag that forbids the install script of a package, for managers whose install fails until that is
   * decided.
   */
  deny?: (name: string) => string
  /** The command that runs the script `test`; Bun's own `test` command is something else. */
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
 * Finds a manager by its identifier, such as `pnpm@10.1.0` in package.json or `pnpm/10.1.0 node/v22.1.0` in the
 * environment variable `npm_config_user_agent`.
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
 * Returns the manager of the nearest folder from `folder` upwards that declares one in its package.json or has its
 * lockfile; else the manager that runs this process.
 */
export const packageManagerOf = (folder: string, env: Readonly<Record<string, string | undefined>>): PackageManager => {
  for (const up of foldersUp(folder)) {
    const found = declaredIn(up) ?? packageManagers.find(({ locks }) => locks.some(lock => existsSync(join(up, lock))))
    if (found !== undefined) return found
  }
  return named(env['npm_config_user_agent']) ?? npm
}

/** Returns the command that compiles the code of a project: its script `build`. */
export const buildOf = (folder: string, env: Readonly<Record<string, string | undefined>>): string =>
  `${packageManagerOf(folder, env).name} run build`
