import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeFolder } from './project.ts'

const framework = ['bin', 'core'].map(part => `${codeFolder}${sep}${part}${sep}`)

/**
 * The first place in a stack that is neither of the framework nor of a library, as `file:line:column`; `undefined`
 * where there is none.
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

/** What went wrong, and where in the code of a root. */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = placeOf(error)
  return `${error.name}: ${error.message}${place === undefined ? '' : ` at ${place}`}`
}

/** Code of a root, other than a handler, threw while the process started. The process exits with 3. */
class RootCodeError extends Error {
  readonly fix: string

  constructor(file: string, cause: Error) {
    super(`${relative(process.cwd(), file)}: ${cause.name}: ${cause.message}`, { cause })
    const place = placeOf(cause)
    this.fix = place === undefined ? '' : `Thrown at ${place}.`
  }
}

/**
 * Runs code of `file`, and names it in the error when that throws. Errors that say what to do (a database that does not
 * start) are left as they are.
 */
export async function runOf<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOwn = error instanceof Error && !('fix' in error) && !('syscall' in error) && error.name !== 'SurfaceError'
    throw isOwn ? new RootCodeError(file, error) : error
  }
}
