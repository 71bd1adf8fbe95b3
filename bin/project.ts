import { existsSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError, type Environment } from './config.ts'
import { messageOf } from './io.ts'
import { foldersUp, packageManagerOf } from './package-managers.ts'

const here = fileURLToPath(import.meta.url)
/** File extension of the running code. */
export const codeExtension = here.endsWith('.ts') ? '.ts' : '.js'
/** Folder of the running code: the package itself, or its folder of compiled code. */
export const codeFolder = here.slice(0, here.lastIndexOf(`${sep}bin${sep}`))
/** Folder of this package, which contains the package.json. */
export const packageFolder = existsSync(join(codeFolder, 'package.json')) ? codeFolder : resolve(codeFolder, '..')

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }).version

const hasManifests = (folder: string): boolean => existsSync(join(folder, 'manifests'))

type ProjectFile = Readonly<{ pantry?: Readonly<{ roots?: unknown }>; scripts?: Readonly<Record<string, unknown>> }>

function projectFile(folder: string): ProjectFile | undefined {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProjectFile
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${messageOf(error)}`)
  }
}

/**
 * Returns the folder of the service that a command works on: the nearest one upwards with `manifests/` or with `pantry`
 * in its `package.json`; else this package, if it is a service itself.
 */
export function projectFolder(from = process.cwd()): string | undefined {
  return (
    foldersUp(resolve(from)).find(folder => hasManifests(folder) || projectFile(folder)?.pantry !== undefined) ??
    (hasManifests(packageFolder) ? packageFolder : undefined)
  )
}

/** The roots of this package that a service may take, by their names. */
export const optionalRoots: ReadonlyMap<string, string> = new Map([
  ['pantry/keys', join(packageFolder, 'core', 'keys')]
])

/** A root that a name led to; `package` is the name if that is an installed package. */
export type ResolvedRoot = Readonly<{ folder: string; package: string | undefined }>

/** Finds a root: `./name` is always a folder; `name` is one of this package, an installed package, or else a folder. */
function resolveRoot(name: string, from: string): ResolvedRoot {
  const own = optionalRoots.get(name)
  if (own !== undefined) return { folder: own, package: name }
  const places = /^[./]/.test(name)
    ? []
    : [...foldersUp(from), ...foldersUp(process.cwd())].map(up => join(up, 'node_modules', name))
  const installed = places.find(hasManifests)
  if (installed !== undefined) return { folder: installed, package: name }
  const folder = resolve(from, name)
  if (hasManifests(folder)) return { folder, package: undefined }
  throw new UsageError(
    `There is no root \`${name}\`: neither a folder with \`manifests/\` nor an installed package with one.`
  )
}

/**
 * Returns the roots of a command in load order. Without names these are the list `"pantry": { "roots": [...] }` in the
 * `package.json` of the project, where `.` is the project itself; without a list, the project alone.
 */
export function resolveRoots(names: readonly string[]): readonly ResolvedRoot[] {
  if (names.length > 0) return names.map(name => resolveRoot(name, process.cwd()))
  const project = projectFolder()
  if (project === undefined)
    throw new UsageError(
      'There is no service here: no folder with `manifests/`. Run `pantry init <name>` to begin one, or name a root with `--root`.'
    )
  const listed = projectFile(project)?.pantry?.roots ?? ['.']
  if (!Array.isArray(listed) || listed.length === 0 || !listed.every(name => typeof name === 'string')) {
    throw new UsageError(
      `\`pantry.roots\` in ${join(project, 'package.json')} must be a list of folders and package names, such as ["."].`
    )
  }
  return listed.map(name => resolveRoot(name, project))
}

/** Returns the folder of the last named root that is no package, which somebody works on; of the last, if all are. */
export function workedOn(names: readonly string[]): string {
  const roots = resolveRoots(names)
  const own = roots.findLast(({ package: packageName }) => packageName === undefined) ?? roots.at(-1)
  return own?.folder ?? '.'
}

/** Returns the command that compiles the code of a project: its script `build`, if it has one. */
export function buildOf(folder: string, env: Environment): string {
  const nearest = foldersUp(resolve(folder)).find(up => existsSync(join(up, 'package.json')))
  return nearest !== undefined && projectFile(nearest)?.scripts?.['build'] !== undefined
    ? `${packageManagerOf(folder, env).name} run build`
    : 'npx pantry build'
}
