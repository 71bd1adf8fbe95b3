import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldersUp } from './project.ts'

/** What a project installs packages with. */
export type PackageManager = Readonly<{
  name: string
  locks: readonly string[]
  /** Adds a package. */
  add: readonly string[]
  /** Says that what is added is for building alone. */
  addForBuild: string
  /** Says that a package needs no install script, where an install fails until that is decided. */
  deny?: (name: string) => string
  /** Runs the script `test`: Bun's own `test` is another one. */
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
 * A manager by what it calls itself, such as `pnpm@10.1.0` in package.json or `pnpm/10.1.0 node/v22.1.0` in the
 * environment of what it runs.
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
 * The manager that the nearest folder from `folder` upwards declares in its package.json, or has a lockfile of; else
 * the one that runs this process.
 */
export const packageManagerOf = (folder: string, env: Readonly<Record<string, string | undefined>>): PackageManager => {
  for (const up of foldersUp(folder)) {
    const found = declaredIn(up) ?? packageManagers.find(({ locks }) => locks.some(lock => existsSync(join(up, lock))))
    if (found !== undefined) return found
  }
  return named(env['npm_config_user_agent']) ?? npm
}

/** What compiles the code of a project: its script `build`. */
export const buildOf = (folder: string, env: Readonly<Record<string, string | undefined>>): string =>
  `${packageManagerOf(folder, env).name} run build`
