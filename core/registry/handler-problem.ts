import { isObject } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { fieldPattern } from '../manifest/facets.ts'
import { reportFile } from '../source/report.ts'

/** Returns H105 if the default export of a handler file is not a handler. */
export function handlerProblem(file: string, exported: unknown): Diagnostic | undefined {
  const members = isObject(exported) ? exported : {}
  const missing = !['handle', 'derive', 'view'].some(form => typeof members[form] === 'function')
    ? 'handle'
    : typeof members['reply'] !== 'object'
      ? 'reply'
      : undefined
  if (missing === undefined) return formProblem(file, members['forms'])
  return reportFile(
    file,
    'H105',
    `The default export is not a handler: it has no \`${missing}\`.`,
    'Write `export default defineHandler({ …, reply, handle })`.'
  )
}

const formName = new RegExp(fieldPattern)

/** H105: the forms of a page are made by `defineForm`, and have names that a manifest can say. */
function formProblem(file: string, forms: unknown): Diagnostic | undefined {
  if (forms === undefined) return undefined
  const wrong = !isObject(forms)
    ? 'forms'
    : Object.entries(forms)
        .filter(([name, form]) => !formName.test(name) || !isObject(form) || !('toBody' in form && 'body' in form))
        .map(([name]) => name)[0]
  return wrong === undefined
    ? undefined
    : reportFile(
        file,
        'H105',
        `\`${wrong.slice(0, 60)}\` of the page is not a form.`,
        'Write `forms: { name: defineForm({ … }) }`, with a name of letters, digits and underscores.'
      )
}

/** H106: importing a handler file threw. */
export const importProblem = (file: string, error: unknown): Diagnostic =>
  reportFile(
    file,
    'H106',
    `The file cannot be imported: ${error instanceof Error ? error.message : String(error)}`,
    'Importing a handler has no side effect; open connections in the services.'
  )
