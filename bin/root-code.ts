import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeFolder, packageFolder } from './project.ts'

/** The folders of the framework's code, compiled and as source. */
const framework = [codeFolder, packageFolder].flatMap(folder =>
  ['bin', 'core'].map(part => `${folder}${sep}${part}${sep}`)
)

/**
 * Returns the first location in the stack outside the framework and libraries, as `file:line:column`; `undefined` if
 * there is none.
 */
export function placeOf(error: Error): string | undefined {
  for (const [, place = ''] of (error.stack ?? '').matchAll(/^ +at (?:.*\()?((?:file:\/\/)?\/.*:\d+:\d+)\)?$/gm)) {
    const [, file = '', position = ''] = /^(.*?)((?::\d+)+)$/.exec(place) ?? []
    const path = file.startsWith('file:') ? fileURLToPath(file) : file
    if (!path.includes(`${sep}node_modules${sep}`) && !framework.some(folder => path.startsWith(folder)))
      return relative(process.cwd(), path) + position
  }
  return undefined
}

/** Formats an error with its location in the code of a root. */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = placeOf(error)
  return `${error.name}: ${error.message}${place === undefined ? '' : ` at ${place}`}`
}

/** Thrown when code of a root, other than a handler, throws while the process starts. The process exits with 3. */
class RootCodeError extends Error {
  readonly fix: string

  constructor(file: string, cause: Error) {
    super(`${relative(process.cwd(), file)}: ${cause.name}: ${cause.message}`, { cause })
    const place = placeOf(cause)
    this.fix = place === undefined ? '' : `Thrown at ${place}.`
  }
}

/**
 * Runs code of `file`; if it throws, the error is wrapped in one that names the file. Errors that already say what to
 * do (such as a database that does not start) are rethrown unchanged.
 */
export async function runOf<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOwn = error instanceof Error && !('fix' in error) && !('syscall' in error) && error.name !== 'SurfaceError'
    throw isOwn ? new RootCodeError(file, error) : error
  }
}
