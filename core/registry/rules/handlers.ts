import { isObject, type JsonSchema } from '../../canonical/json.ts'
import { endOf } from '../../diagnostics/deprecations.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { keyHint } from '../../diagnostics/suggest.ts'
import { suggestionHint } from '../../diagnostics/suggest.ts'
import { ConceptKind } from '../../manifest/concept-kind.ts'
import { pageIdOf } from '../../manifest/kind.ts'
import { fieldPattern } from '../../manifest/manifest.ts'
import { checkParams, checkPathForm } from '../../manifest/rules.ts'
import type { BodyInput, FileInput } from '../../manifest/surface.ts'
import { checkSchema, compileSchema, validateSchema } from '../../schema/compile.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import { unsafePatternHint, unsafePatterns } from '../../schema/patterns.ts'
import { reportFile } from '../../source/report.ts'
import { methods } from '../../vocabulary/words.ts'
import { contextOf, type ReferenceRule } from '../draft.ts'

/** Methods with which the name of an export can end, in lower case. */
const endings: readonly string[] = methods.filter(method => method !== 'GET').map(method => method.toLowerCase())

/**
 * Returns the id of the handler that a file exports under a name; `undefined` if the name cannot be one. In `books`,
 * the default export is `books`, `post` is `books.post`, and `lateLoansPost` is `books/late-loans.post`.
 */
export function handlerId(file: string, name: string): string | undefined {
  if (name === 'default') return file
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) return undefined
  const words = name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`).split('-')
  const ending = endings.includes(words.at(-1) ?? '') ? `.${words.pop() ?? ''}` : ''
  return `${[file, ...(words.length === 0 ? [] : [words.join('-')])].join('/')}${ending}`
}

type Problem = readonly [message: string, hint: string]

/** `id` is undefined if the export is no handler at all. */
type ExportedHandler = Readonly<{ id: string | undefined; handler: unknown; problem: Diagnostic | undefined }>

/**
 * Returns the exports of a handler file (`id`: its path below `surfaces/handlers/`). H105: an export is not a handler
 * or has a name from which no id follows, or there is no export. H114: beside handlers, something else is exported.
 */
export function exportedHandlers(file: string, id: string, module: object): readonly ExportedHandler[] {
  const exports: [string, unknown][] = Object.entries(module)
  if (exports.length === 0) exports.push(['default', undefined])
  return exports.map(([name, handler]) => {
    if (name !== 'default' && 'default' in module && !resemblesHandler(handler))
      return { id: undefined, handler, problem: otherExport(file, name) }
    const own = handlerId(id, name)
    const problem = handlerProblem(name, handler) ?? (own === undefined ? nameProblem(name) : undefined)
    return {
      id: own ?? `${id}/${name}`,
      handler,
      problem: problem === undefined ? undefined : reportFile(file, 'H105', ...problem)
    }
  })
}

const formsOfCode = ['handle', 'derive', 'view']

/** Whether an export is a handler, or one with a mistake. */
const resemblesHandler = (exported: unknown): boolean =>
  isObject(exported) && [...formsOfCode, 'reply'].some(member => member in exported)

const otherExport = (file: string, name: string): Diagnostic =>
  reportFile(
    file,
    'H114',
    `The export \`${name.slice(0, 60)}\` is not a handler. It is an error from ${endOf.H114} on.`,
    'Move what several files need to a file outside `surfaces/handlers/`, and import it from there.'
  )

const nameProblem = (name: string): Problem => [
  `The handler \`${name.slice(0, 60)}\` has a name that no id follows from.`,
  'Name it with letters and digits, the first one lowercase, such as `loansPost`.'
]

function handlerProblem(name: string, exported: unknown): Problem | undefined {
  const members = isObject(exported) ? exported : {}
  const hasCode = formsOfCode.some(form => typeof members[form] === 'function')
  if (hasCode && typeof members['reply'] === 'object') return formProblem(members['forms'])
  const missing = hasCode ? 'reply' : 'handle'
  return name === 'default'
    ? [
        `The default export is not a handler: it has no \`${missing}\`.`,
        'Write `export default defineHandler({ …, reply, handle })`.'
      ]
    : [
        `The export \`${name.slice(0, 60)}\` is not a handler: it has no \`${missing}\`.`,
        'Every export of this file is a handler: write `defineHandler({ …, reply, handle })`, or do not export it from here.'
      ]
}

const formName = new RegExp(fieldPattern)

function formProblem(forms: unknown): Problem | undefined {
  if (forms === undefined) return undefined
  const isForm = (form: unknown): boolean => isObject(form) && 'toBody' in form && 'body' in form
  const wrong = isObject(forms)
    ? Object.keys(forms).find(name => !formName.test(name) || !isForm(forms[name]))
    : 'forms'
  return wrong === undefined
    ? undefined
    : [
        `\`${wrong.slice(0, 60)}\` of the page is not a form.`,
        'Write `forms: { name: defineForm({ … }) }`, with a name of letters, digits and underscores.'
      ]
}

/** M424: two files have a handler of the same id. */
export const repeatedHandler = (file: string, id: string, other: string): Diagnostic =>
  reportFile(file, 'M424', `The handler \`${id}\` is already declared in ${other}.`, 'Rename one of them.')

const importHint = 'Importing a handler has no side effect; open connections in the services.'

/** H106: importing a file with code, such as handlers, threw. */
export const importProblem = (file: string, error: unknown, hint = importHint): Diagnostic =>
  reportFile(
    file,
    'H106',
    `The file cannot be imported: ${error instanceof Error ? error.message : String(error)}`,
    hint
  )

const fileOf = (files: ReadonlyMap<string, string>, id: string): string => files.get(pageIdOf(id)) ?? id

const mediaType = /^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/

function fileProblem(name: string, { types, limitBytes }: FileInput, body: BodyInput | undefined): Problem | undefined {
  if (body === undefined)
    return ['Files come beside the fields of a `body`, and there is none.', 'Add `body`, with an object of no fields.']
  if (Object.hasOwn(propertiesOf(body.schema), name))
    return [`The file \`${name}\` has the name of a field of the body.`, 'Give it another name.']
  if (types.length === 0 || !types.every(type => mediaType.test(type)))
    return [
      `The file \`${name}\` may be ${types.length === 0 ? 'of no type' : types.join(', ')}.`,
      'Name media types in lower case, without parameters, such as `text/csv`.'
    ]
  return Number.isSafeInteger(limitBytes) && limitBytes > 0
    ? undefined
    : [`The file \`${name}\` may have ${limitBytes} bytes.`, 'Give a whole number of bytes.']
}

/** H110: uploaded files come beside a body, under names of their own, with valid media types and sizes. */
export const soundFiles: ReferenceRule = function* ({ handlers, handlerFiles }) {
  for (const [id, { body, files = {} }] of handlers)
    for (const [name, file] of Object.entries(files)) {
      const problem = fileProblem(name, file, body)
      if (problem !== undefined) yield reportFile(fileOf(handlerFiles, id), 'H110', ...problem)
    }
}

const pathOf = (pointer: readonly (string | number)[]): string =>
  pointer.length === 0 ? '' : ` at \`/${pointer.join('/')}\``

const isNested = ({ type }: JsonSchema): boolean => type === 'array' || type === 'object'

/** Whether a form can send what a schema describes. The name `token` is taken by the field that proves the session. */
const isFlat = (schema: JsonSchema): boolean =>
  schema['type'] === 'object' &&
  Object.entries(propertiesOf(schema)).every(
    ([name, field]) =>
      name !== 'token' && !isNested(field['type'] === 'array' ? ((field['items'] ?? {}) as JsonSchema) : field)
  )

/**
 * H103, H104: the schemas of a handler must be valid; `params`, `query` and the body of a form must describe objects, a
 * form's without objects in it; and input patterns must not backtrack without bound.
 */
export const soundHandlers: ReferenceRule = function* ({ handlers, handlerFiles }) {
  for (const [id, { params, query, body, reply }] of handlers) {
    const file = fileOf(handlerFiles, id)
    for (const [name, schema] of Object.entries({ params, query, body: body?.schema, reply })) {
      if (schema === undefined) continue
      if (name === 'body' && body?.isForm === true && !isFlat(schema)) {
        yield reportFile(
          file,
          'H103',
          `The \`fields\` of the form \`${id}\` must describe an object of texts, numbers, booleans and lists of them.`,
          'Use `Type.Object({ … })` without objects in it, and without a field `token`.'
        )
        continue
      }
      if ((name === 'params' || name === 'query') && schema['type'] !== 'object') {
        yield reportFile(file, 'H103', `\`${name}\` must describe an object.`, 'Use `Type.Object({ … })`.')
        continue
      }
      // The service writes the reply itself; only input from callers needs safe patterns.
      const issues = name === 'reply' ? validateSchema(schema) : checkSchema(schema)
      for (const { pointer, message, key, allowed = [] } of issues) {
        const hint = key === undefined ? undefined : keyHint(key, allowed.map(String))
        yield reportFile(file, 'H103', `The schema \`${name}\` is not valid${pathOf(pointer)}: ${message}`, hint)
      }
      for (const { pointer, pattern } of name === 'reply' || issues.length > 0 ? [] : unsafePatterns(schema))
        yield reportFile(
          file,
          'H104',
          `The pattern \`${pattern}\` of \`${name}\`${pathOf(pointer)} can backtrack without bound.`,
          unsafePatternHint
        )
    }
  }
}

/** M411, M412: the placeholders of the path must be the path parameters that the code declares, all required. */
export const declaredParams: ReferenceRule = draft => {
  const context = contextOf(draft)
  return draft.manifests.flatMap(file => {
    const code = file.kind.code?.(file, context)
    // If the path is malformed, its placeholders are not checked.
    return code === undefined || checkPathForm(file).length > 0 ? [] : checkParams(file, code)
  })
}

/** The corpus of which discovery documents read entries in this form, if a root has the corpus. */
const conceptKinds = { file: 'core/manifest/concept-kind.ts', corpus: 'concept-kinds', entry: ConceptKind }

/** H107, H108: a corpus that code declares must exist in files, and its entries must match the declared schema. */
export const codeReads: ReferenceRule = function* ({ reads, corpora, names }) {
  const all = names.corpora.has(conceptKinds.corpus) ? [...reads, conceptKinds] : reads
  for (const { file, corpus: name, entry } of all) {
    if (!names.corpora.has(name)) {
      const hint = suggestionHint(name, [...names.corpora]) ?? `Create \`corpora/${name}/\`.`
      yield reportFile(file, 'H107', `There is no corpus \`${name}\`.`, hint)
    }
    const table = corpora.get(name)?.corpus.table
    if (table !== undefined) {
      const message = `The entries of the corpus \`${name}\` are rows of the table \`${table.name}\`.`
      yield reportFile(file, 'H107', message, 'Read the table with the database that `surfaces/services.ts` is given.')
    }
    const check = compileSchema(entry)
    for (const [key, value] of corpora.get(name)?.corpus.byKey ?? []) {
      const [issue] = check(value)
      if (issue === undefined) continue
      yield reportFile(
        file,
        'H108',
        `The entry \`${key}\` of the corpus \`${name}\` does not have the form that is read: ${issue.message}`,
        `Compare with \`corpora/${name}/schema.yaml\`.`
      )
      // All entries have one schema, so the others are wrong in the same way.
      break
    }
  }
}
