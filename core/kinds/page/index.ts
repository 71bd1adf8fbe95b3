import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isOpen } from '../../access/index.ts'
import type { Code } from '../../manifest/kind.ts'
import { parameters, segments } from '../../manifest/normalise.ts'
import { placeholdersOf } from '../../manifest/paths.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import { contracts } from '../../vocabulary/words.ts'
import { checkForm, codeOf, codeReference } from '../code.ts'
import { defineKind } from '../kind.ts'
import { defaultPath, paramsExample, type Files, type ScaffoldPlace } from '../scaffold.ts'
import { checkFormPaths, checkForms, checkNames, checkTargets } from './check.ts'
import { formsOf } from './form.ts'
import { answerOf, asked, factsOf, fields, type PageAnswer, type PageManifest } from './manifest.ts'
import { compilePage } from './source.ts'

/** Returns an example view: JSX if the root has a `tsconfig.json`, else JavaScript with calls of `h`. */
function pageFile(id: string, path: string, { folder }: ScaffoldPlace): Files {
  const typed = existsSync(join(folder, 'tsconfig.json'))
  const placeholders = placeholdersOf(path)
  const params = placeholders
    .map(placeholder => `${placeholder}: Type.String({ minLength: 1, maxLength: 160 })`)
    .join(', ')
  const [first] = placeholders
  const text = [
    ...(typed ? [] : ['// @ts-check']),
    `import { definePage${typed ? '' : ', h'}, ${first === undefined ? '' : 'Type '}} from 'pantry/page'`.replace(
      ', }',
      ' }'
    ),
    '',
    'export default definePage({',
    ...(first === undefined ? [] : [`  params: Type.Object({ ${params} }),`]),
    '  // What it shows of other surfaces is named here, with its schema, and in the manifest, with its path.',
    `  view: (${first === undefined ? '' : '{ params }'}) => ({`,
    "    title: 'Hello',",
    typed
      ? `    main: <p>${first === undefined ? 'Hello.' : `Hello {params.${first}}.`}</p>`
      : `    main: h('p', null, 'Hello'${first === undefined ? '' : `, ' ', params.${first}`})`,
    '  })',
    '})',
    ''
  ]
  return { [`surfaces/handlers/${id}.${typed ? 'tsx' : 'js'}`]: text.join('\n') }
}

const text = { type: 'string', maxLength: 512 }

/**
 * Adds the session's form token (against CSRF) to the fields of a form, except on pages whose callers are not
 * identified. A form with a wrong token is refused before it is sent to its surface.
 */
function withToken(access: PageManifest['access'], code: Code): Code {
  if (code.body === undefined || isOpen([access].flat())) return code
  const { schema } = code.body
  return {
    ...code,
    body: {
      ...code.body,
      schema: {
        ...schema,
        properties: {
          ...propertiesOf(schema),
          token: { type: 'string', maxLength: 100, description: 'What the page put into the form.' }
        }
      }
    }
  }
}

/** A page for people: a view that shows answers of other surfaces. */
export const page = defineKind<PageManifest, PageAnswer, 'views' | 'ask' | 'versions' | 'site' | 'service'>({
  name: 'page',
  meaning: 'A page for people shows what other surfaces answer: `surfaces/handlers/<id>.tsx`.',
  reaches: ['views', 'ask', 'versions', 'site', 'service'],
  fields,
  renamed: { method: 'forms', sends: 'forms' },
  holds: [],
  ownFormats: () => ['html'],
  contracts: contracts.filter(contract => contract === 'bare'),
  check: checkTargets,
  checkFit: (file, context) => [
    ...checkForm(file, context, 'view'),
    ...checkNames(file, context),
    ...checkForms(file, context),
    ...checkFormPaths(file, context)
  ],
  formsOf,
  refersTo: codeReference,
  code: (file, context) => {
    const code = codeOf(file, context)
    // What is asked for checks the values. A form is sent to its path alone.
    const names = file.formOf === undefined ? asked(answerOf(file)).flatMap(({ target }) => target.names) : []
    return code === undefined
      ? undefined
      : withToken(file.manifest.access, {
          params: segments(placeholdersOf(file.manifest.path)),
          query: parameters(Object.fromEntries(names.map(name => [name, text]))),
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
    files: pageFile(id, path, place)
  })
})
