import { isOpen } from '../../access/index.ts'
import { bytesOfFields } from '../../handler/form-bytes.ts'
import type { Code } from '../../manifest/kind.ts'
import { parametersSchema, placeholdersSchema } from '../../manifest/normalise.ts'
import { placeholdersOf } from '../../manifest/paths.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import { contracts } from '../../vocabulary/words.ts'
import { checkForm, codeOf, codeReference } from '../code.ts'
import { defineKind } from '../kind.ts'
import { codeFile, defaultPath, paramsExample, paramsLine } from '../scaffold.ts'
import { checkFormPaths, checkForms, checkNames, checkSteps, checkTargets } from './check.ts'
import { formsOf } from './form.ts'
import { answerOf, factsOf, fields, type FormManifest, type PageAnswer, type PageManifest } from './manifest.ts'
import { compilePage } from './source.ts'
import { stepFields, textsOfSteps } from './steps.tsx'

function example(path: string, typed: boolean): string {
  const [first] = placeholdersOf(path)
  const hello = first === undefined ? 'Hello.' : `Hello {params.${first}}.`
  const main = typed ? `<p>${hello}</p>` : `h('p', null, 'Hello'${first === undefined ? '' : `, ' ', params.${first}`})`
  return `import { definePage${typed ? '' : ', h'}${first === undefined ? '' : ', Type'} } from 'pantry/page'

export default definePage({
${paramsLine(path)}  // What it shows of other surfaces is named here, with its schema, and in the manifest, with its path.
  view: (${first === undefined ? '' : '{ params }'}) => ({
    title: 'Hello',
    main: ${main}
  })
})
`
}

const text = { type: 'string', maxLength: 512 }

const tokenField = { type: 'string', maxLength: 100, description: 'What the page put into the form.' }
const doneParameter = {
  type: 'string',
  maxLength: 160,
  description: 'The form that led here once it was accepted: the page says what was done.'
}

/**
 * Adds to the fields of a form the session's form token (against CSRF), except on pages whose callers are not
 * identified, and that its second step was taken. A form with a wrong token is refused before it is sent to its
 * surface.
 */
function withOwnFields({ access, ...manifest }: PageManifest | FormManifest, code: Code): Code {
  const { body, texts } = code
  const confirm = 'confirm' in manifest ? manifest.confirm : undefined
  if (body === undefined) return code
  const own = {
    ...(isOpen([access].flat()) ? {} : { token: tokenField }),
    ...(confirm === undefined ? {} : stepFields)
  }
  const properties = { ...propertiesOf(body.schema), ...own }
  return {
    ...code,
    body: { ...body, schema: { ...body.schema, properties }, limitBytes: body.limitBytes + bytesOfFields(own) },
    ...(confirm === undefined ? {} : { texts: { ...texts, ...textsOfSteps(confirm) } })
  }
}

export const page = defineKind<PageManifest, PageAnswer, 'views' | 'ask' | 'versions' | 'site' | 'service'>({
  name: 'page',
  meaning: 'A page for people shows what other surfaces answer: `surfaces/handlers/<id>.tsx`.',
  reaches: ['views', 'ask', 'versions', 'site', 'service'],
  fields,
  renamed: { method: 'forms', sends: 'forms' },
  holds: [],
  ownFormats: () => ['html'],
  contracts: contracts.filter(contract => contract === 'bare'),
  check: file => [...checkTargets(file)],
  checkFit: (file, context) => [
    ...checkForm(file, context, 'view'),
    ...checkNames(file, context),
    ...checkForms(file, context),
    ...checkSteps(file, context),
    ...checkFormPaths(file, context)
  ],
  formsOf,
  refersTo: codeReference,
  code: (file, context) => {
    const code = codeOf(file, context)
    if (code === undefined) return undefined
    const { shows, besides } = answerOf(file)
    // The surfaces that the page asks check the values. A form has no query: it is sent to its path alone.
    const names = file.formOf === undefined ? [...shows, ...besides].flatMap(({ target }) => target.names) : []
    return withOwnFields(file.manifest, {
      params: placeholdersSchema(placeholdersOf(file.manifest.path)),
      query: parametersSchema({
        ...Object.fromEntries(names.map(name => [name, text])),
        ...(file.formOf === undefined && file.manifest.forms !== undefined ? { done: doneParameter } : {})
      }),
      ...code
    })
  },
  answer: (file, { handlers }) => answerOf(file, file.formOf === undefined ? undefined : handlers.get(file.id)),
  facts: factsOf,
  compile: compilePage,
  scaffold: ({ id, path = defaultPath(id) }, place) => ({
    path,
    provenance: 'computed',
    contract: 'bare',
    formats: ['html'],
    fields: {},
    ...paramsExample(path),
    files: codeFile(id, place, 'tsx', typed => example(path, typed))
  })
})
