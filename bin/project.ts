import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from './config.ts'

const here = fileURLToPath(import.meta.url)
/** What the running files end in. */
export const ending = here.endsWith('.ts') ? '.ts' : '.js'
/** Folder of the running code: the package itself, or what was compiled in it. */
export const codeFolder = resolve(dirname(here), '..')
/** Folder of this package: where its package.json is. */
export const packageFolder = existsSync(join(codeFolder, 'package.json')) ? codeFolder : resolve(codeFolder, '..')

/** Version of this package. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }).version

const hasManifests = (folder: string): boolean => existsSync(join(folder, 'manifests'))

/** A folder and all above it, the nearest first. */
export const foldersUp = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersUp(dirname(folder))]

type ProjectFile = Readonly<{ pantry?: Readonly<{ roots?: unknown }> }>

/** What `package.json` of a folder says; empty when there is none. */
function projectFile(folder: string): ProjectFile | undefined {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProjectFile
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * The folder of the service a command works on: the nearest one, from the working folder upwards, with `manifests/` or
 * with roots in its `package.json`; else this package, where it is a service itself. `undefined` when there is none.
 */
export function projectFolder(from = process.cwd()): string | undefined {
  return (
    foldersUp(resolve(from)).find(folder => hasManifests(folder) || projectFile(folder)?.pantry !== undefined) ??
    (hasManifests(packageFolder) ? packageFolder : undefined)
  )
}

/** A root: its folder, and the name of its package when it was named as one. */
export type NamedRoot = Readonly<{ folder: string; package: string | undefined }>

/** A root is named by a package that is installed for the project, or by its folder; `./name` is always a folder. */
function namedRoot(name: string, from: string): NamedRoot {
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
 * The roots of a command in load order. Without names: those that `"pantry": { "roots": [...] }` in the `package.json`
 * of the project lists, which must list the project itself as `.`; without such a list the project alone.
 */
export function rootsNamed(names: readonly string[]): readonly NamedRoot[] {
  if (names.length > 0) return names.map(name => namedRoot(name, process.cwd()))
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
  return listed.map(name => namedRoot(name, project))
}
