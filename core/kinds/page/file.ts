import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { placeholdersOf } from '../../manifest/paths.ts'
import type { Files, ScaffoldPlace } from '../scaffold.ts'

/** Returns an example view: JSX if the root has a `tsconfig.json`, else JavaScript with calls of `h`. */
export function pageFile(id: string, path: string, { folder }: ScaffoldPlace): Files {
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
