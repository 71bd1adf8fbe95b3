import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isObject } from '../core/canonical/json.ts'
import { UsageError } from './config.ts'
import { messageOf, print, type Io } from './io.ts'
import type { PackageManager } from './package-managers.ts'
import { packageFolder } from './project.ts'

const packageFile = 'package.json'

/** Reads a package.json, which is empty where there is none. */
export const readPackage = (file: string): Record<string, unknown> => {
  if (!existsSync(file)) return {}
  let read: unknown
  try {
    read = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${messageOf(error)}`)
  }
  if (!isObject(read) || Array.isArray(read)) throw new UsageError(`${file} is no object, as a package.json is.`)
  return { ...read }
}

const quoted = (text: string): string => (text.includes('!') ? `'${text}'` : text)

type Installation = Readonly<{
  packages: readonly string[]
  /** What the packages are for, for a message; `otherwise` is an alternative to installing them. */
  what: string
  otherwise?: string
  /** Packages whose install scripts are forbidden, because they are not needed. */
  denied: readonly string[]
  isForBuild?: true
}>

/** Where packages are installed, and with which manager. */
export type ProjectPlace = Readonly<{ folder: string; manager: PackageManager; io: Io }>

function knownVersions(): Readonly<Record<string, string>> {
  const own = readPackage(join(packageFolder, packageFile))
  const members = ['dependencies', 'devDependencies', 'optionalDependencies']
  return Object.assign({}, ...members.map(name => own[name])) as Readonly<Record<string, string>>
}

/** Returns packages with the versions that this version of Pantry is tried with, as managers take them. */
export function withVersions(packages: readonly string[]): readonly string[] {
  const versions = knownVersions()
  return packages.map(one => `${one}@${versions[one] ?? 'latest'}`)
}

/** Installs the packages that are missing. If that fails, prints the command to run and returns false. */
export function installPackages(
  { packages, what, otherwise = '', denied, isForBuild }: Installation,
  { folder, manager: { name, add, addForBuild, deny }, io }: ProjectPlace
): boolean {
  const places = createRequire(join(folder, packageFile)).resolve.paths(packageFile) ?? []
  const missing = packages.filter(one => !places.some(place => existsSync(join(place, one))))
  if (missing.length === 0) return true
  const named = withVersions(missing)
  const args = [
    ...add,
    ...(isForBuild === true ? [addForBuild] : []),
    ...(deny === undefined ? [] : denied.map(deny)),
    ...named
  ]
  print(io.stderr, `Installing ${named.join(', ')}, ${what} ...`)
  if (spawnSync(name, args, { cwd: folder, env: { ...io.env }, stdio: 'ignore' }).status === 0) return true
  print(
    io.stderr,
    `error: ${missing.join(', ')} could not be installed: run \`${[name, ...args.map(quoted)].join(' ')}\`${otherwise}.`
  )
  return false
}
