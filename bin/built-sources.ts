import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { reportFile } from '../core/source/report.ts'
import { buildOf } from './project.ts'
import { filesBelow, idOf, isMigration, writtenEndings, type RootModules } from './root-modules.ts'

/** The bundles of a root, each of modules that are loaded together: files or folders, without extension. */
const bundles = {
  commands: ['surfaces/commands'],
  content: [
    'surfaces/checks',
    'surfaces/corpora',
    'surfaces/define',
    'surfaces/discovery',
    'surfaces/hooks',
    'surfaces/settings',
    'surfaces/webhooks'
  ],
  handlers: ['surfaces/handlers'],
  jobs: ['surfaces/jobs'],
  migrations: ['migrations'],
  services: ['surfaces/services']
}

const writtenAt = (root: string, path: string): string[] =>
  [
    ...writtenEndings.map(ending => join(root, `${path}${ending}`)).filter(file => existsSync(file)),
    ...(existsSync(join(root, path)) ? writtenEndings.flatMap(ending => filesBelow(join(root, path), ending)) : [])
  ]
    .map(file => relative(root, file).replaceAll('\\', '/'))
    .sort()

/** Returns the source files of each bundle of a root that has some. */
export const bundledFiles = (root: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(bundles)
      .map(([name, paths]): [string, string[]] => [name, paths.flatMap(path => writtenAt(root, path))])
      .filter(([, found]) => found.length > 0)
  )

/** H106: a source file that this process can run only when it is built. */
export const notBuilt = (file: string, root: string): Diagnostic =>
  reportFile(
    relative(process.cwd(), file),
    'H106',
    'The file is not compiled yet.',
    `Run \`${buildOf(root, process.env)}\`.`
  )

/** H106 for each source of a part of a root, such as `surfaces/services`, that is not in the code that runs. */
export const unbuilt = (
  root: string,
  part: string,
  paths: readonly string[],
  code: RootModules | undefined
): Diagnostic[] =>
  paths
    .flatMap(path => writtenAt(root, path))
    .filter(file => code?.modules.has(idOf(file.slice(part.length + 1))) !== true)
    .map(file => notBuilt(join(root, file), root))

/** H106 for each migration that is not in the code that runs. Other TypeScript beside them is not looked at. */
export const unbuiltMigrations = (folder: string, code: RootModules | undefined): readonly Diagnostic[] =>
  unbuilt(folder, 'migrations', ['migrations'], code).filter(({ file }) => isMigration(file))

/** H116: a file named as a migration is, in SQL. One beside code of the same name is a part of that migration. */
export function migrationsInSql(root: string): readonly Diagnostic[] {
  const folder = join(root, 'migrations')
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter(file => /^\d+.*\.sql$/i.test(file))
    .filter(file => !writtenEndings.some(ending => existsSync(join(folder, file.replace(/\.sql$/i, ending)))))
    .map(file =>
      reportFile(
        relative(process.cwd(), join(folder, file)),
        'H116',
        'The file is not run.',
        'Write its statements into `knex.raw(…)` in the `up` of a migration.'
      )
    )
}

/** The paths of single modules, which are asked for by their names. */
export const namedModules = [...bundles.content, ...bundles.services]

/** The file in a bundle folder with what each source was when it was bundled. Its time is that of the build. */
const sourceList = 'sources.json'

type Source = Readonly<{ bytes: number; digest: string }>

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Records the files of a root, by their real paths, of which its bundles were made from `startedAt` on. */
export function recordSources(folder: string, root: string, files: readonly string[], startedAt: Date): void {
  const real = realpathSync(root)
  const sources = files
    .filter(file => !file.includes(`${sep}node_modules${sep}`) && existsSync(file))
    .map((file): [string, Source] => {
      const bytes = readFileSync(file)
      // What was written meanwhile may be later than what was built, so that it counts as changed.
      const { mtimeMs } = statSync(file)
      // The start is known to the millisecond, and times of files more exactly.
      const isLater = mtimeMs >= startedAt.getTime() + 1 && mtimeMs <= Date.now()
      const digest = isLater ? '' : digestOf(bytes)
      return [relative(real, file).replaceAll('\\', '/'), { bytes: bytes.length, digest }]
    })
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const list = join(folder, sourceList)
  const unfinished = `${list}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify(Object.fromEntries(sources), null, 1)}\n`)
  utimesSync(unfinished, startedAt, startedAt)
  renameSync(unfinished, list)
}

/** What became of a source after the build. Only one that was written later, or has another size, is read. */
function changeOf(file: string, { bytes, digest }: Source, builtAt: number): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  // The sources may be left out where only the build is installed.
  if (found === undefined) return existsSync(dirname(file)) ? 'is gone since' : undefined
  if (found.size === bytes && (found.mtimeMs <= builtAt || digestOf(readFileSync(file)) === digest)) return undefined
  return 'has changed after'
}

/** Sources that run only if the bundle has them, so that nothing old runs when they are deleted. */
const decided = /^(?:surfaces\/(?:handlers|jobs)|migrations)\//

/**
 * H115 for each source of a root that is not as it was built. An installed package is not looked at: nobody edits it.
 */
export function staleSources(folder: string, root: string): readonly Diagnostic[] {
  const list = join(folder, sourceList)
  const built = statSync(list, { throwIfNoEntry: false })
  if (built === undefined || `${root}${sep}`.includes(`${sep}node_modules${sep}`)) return []
  const sources = JSON.parse(readFileSync(list, 'utf8')) as Readonly<Record<string, Source>>
  return Object.entries(sources).flatMap(([path, source]) => {
    const file = join(root, path)
    const change = changeOf(file, source, built.mtimeMs)
    if (change === undefined || (decided.test(path) && !existsSync(file))) return []
    return [
      reportFile(
        relative(process.cwd(), file),
        'H115',
        `The file ${change} the build, and what was built runs.`,
        `Run \`${buildOf(root, process.env)}\`.`
      )
    ]
  })
}
