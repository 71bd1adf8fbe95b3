import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf, isUnrepresentable, stateOf, wordsOf } from '../core/database/errors.ts'
import { OperatorFault } from '../core/database/fault.ts'
import { SurfaceError } from '../core/handler/errors.ts'
import { codeFolder, packageFolder } from './project.ts'

/** The code of the framework, compiled and as source. */
const framework = [codeFolder, packageFolder].flatMap(folder =>
  ['bin', 'core'].map(part => `${folder}${sep}${part}${sep}`)
)

/** Returns the first `file:line:column` in the stack outside the framework and libraries. */
export function placeOf(error: Error): string | undefined {
  for (const [, place = ''] of (error.stack ?? '').matchAll(/^ +at (?:.*\()?((?:file:\/\/)?\/.*:\d+:\d+)\)?$/gm)) {
    const [, file = '', position = ''] = /^(.*?)((?::\d+)+)$/.exec(place) ?? []
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    if (!path.includes(`${sep}node_modules${sep}`) && !framework.some(folder => path.startsWith(folder)))
      return relative(process.cwd(), path) + position
  }
  return undefined
}

/** Returns the error with its place in the code of a root. */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = placeOf(error)
  return `${error.name}: ${error.message}${place === undefined ? '' : ` at ${place}`}`
}

/** The fault of code of a root, other than a handler, that throws while the process starts. */
function rootFault(file: string, cause: Error): OperatorFault {
  const place = placeOf(cause)
  const thrown = place === undefined ? 'Correct the file.' : `Thrown at ${place}.`
  const state = stateOf(codeOf(cause))
  const words = state === '' ? `${cause.name}: ${cause.message}` : `a statement failed${state}: ${wordsOf(cause)}`
  return new OperatorFault('O901', `${relative(process.cwd(), file)}: ${words}`, thrown, cause)
}

/**
 * Runs code of `file` and names the file if it throws. Errors that say what to do (such as a database that does not
 * start), system errors and `SurfaceError` are unchanged, unless that is of a value in a statement: there is no
 * request yet that has it.
 */
export async function runOf<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const cause = thrown instanceof SurfaceError ? thrown.cause : undefined
    const error = isUnrepresentable(cause) ? cause : thrown
    const isOwn = error instanceof Error && !('fix' in error) && !('syscall' in error) && error.name !== 'SurfaceError'
    throw isOwn ? rootFault(file, error) : error
  }
}

const isOwn = (file: string): boolean =>
  file.startsWith(`${codeFolder}${sep}`) || !file.includes(`${sep}node_modules${sep}`)

const readMap = (file: string): SourceMap | undefined =>
  isOwn(file) && existsSync(`${file}.map`)
    ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload)
    : undefined

/** Returns the path of a source. The package has the bundles alone, so its sources are named as if they were in it. */
function sourceOf(file: string, source: string): string {
  const path = resolve(dirname(file), source)
  return file.startsWith(`${codeFolder}${sep}`) && !path.startsWith(`${packageFolder}${sep}`)
    ? resolve(packageFolder, source.replace(/^(?:\.\.\/)+/, ''))
    : path
}

/**
 * Makes stack traces name source files instead of bundles. A source map is read when a stack trace needs it:
 * `--enable-source-maps` reads all at each start, which takes a twelfth of the time of `pantry validate`.
 */
export function enableSourceMaps(): void {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (file: string): SourceMap | undefined => {
    if (!maps.has(file)) maps.set(file, readMap(file))
    return maps.get(file)
  }
  const lineOf = (site: NodeJS.CallSite): string => {
    const [shown, name, line, column] = [
      (site as Readonly<{ toString: () => string }>).toString(),
      site.getFileName() ?? '',
      site.getLineNumber(),
      site.getColumnNumber()
    ]
    if (line === null || column === null || !name.startsWith('file:')) return shown
    const file = fileURLToPath(name)
    const found = mapOf(file)?.findEntry(line - 1, column - 1)
    if (found === undefined || !('originalSource' in found)) return shown
    return shown.replace(
      `${name}:${line}:${column}`,
      `${sourceOf(file, found.originalSource)}:${found.originalLine + 1}:${found.originalColumn + 1}`
    )
  }
  Error.prepareStackTrace = (error, sites) => [String(error), ...sites.map(site => `    at ${lineOf(site)}`)].join('\n')
}
