import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { reportFile } from '../source/report.ts'

/** Returns H105 if the default export of a handler file is not a handler. */
export function handlerProblem(file: string, exported: unknown): Diagnostic | undefined {
  const has = (name: string, type: string): boolean =>
    typeof exported === 'object' && exported !== null && typeof (exported as Record<string, unknown>)[name] === type
  const missing = !['handle', 'derive', 'view'].some(form => has(form, 'function'))
    ? 'handle'
    : !has('reply', 'object')
      ? 'reply'
      : undefined
  return missing === undefined
    ? undefined
    : reportFile(
        file,
        'H105',
        `The default export is not a handler: it has no \`${missing}\`.`,
        'Write `export default defineHandler({ …, reply, handle })`.'
      )
}

/** Returns H106, for a handler file whose import threw. */
export const importProblem = (file: string, error: unknown): Diagnostic =>
  reportFile(
    file,
    'H106',
    `The file cannot be imported: ${error instanceof Error ? error.message : String(error)}`,
    'Importing a handler has no side effect; open connections in the services.'
  )
