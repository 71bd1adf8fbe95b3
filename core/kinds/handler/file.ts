import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { placeholdersOf } from '../../manifest/paths.ts'
import type { Files, ScaffoldPlace } from '../scaffold.ts'

/**
 * Returns an example handler. It is TypeScript if the root has a `tsconfig.json`, else JavaScript. In a root without
 * its own `defineHandler`, handlers receive no services.
 */
export function handlerFile(id: string, path: string, { folder, definer }: ScaffoldPlace): Files {
  const toDefiner = definer === undefined ? '' : relative(dirname(join('surfaces', 'handlers', id)), definer)
  const placeholders = placeholdersOf(path)
  const params = placeholders
    .map(placeholder => `${placeholder}: Type.String({ minLength: 1, maxLength: 160 })`)
    .join(', ')
  const typed = existsSync(join(folder, 'tsconfig.json'))
  const text = [
    ...(typed ? [] : ['// @ts-check']),
    `import { ${definer === undefined ? 'defineHandler, ' : ''}reply, Type } from 'pantry/handler'`,
    ...(definer === undefined
      ? []
      : [`import { defineHandler } from '${toDefiner.startsWith('.') ? '' : './'}${toDefiner}'`]),
    '',
    'export default defineHandler({',
    ...(placeholders.length === 0 ? [] : [`  params: Type.Object({ ${params} }),`]),
    '  // The schema of what `reply` gives is published: it says all of it.',
    '  reply: Type.Object({ message: Type.String() }, { additionalProperties: false }),',
    placeholders.length === 0
      ? "  handle: () => reply({ message: 'hello' })"
      : `  handle: ({ params }) => reply({ message: \`hello \${params.${placeholders[0] ?? ''}}\` })`,
    '})',
    ''
  ]
  return { [`surfaces/handlers/${id}.${typed ? 'ts' : 'js'}`]: text.join('\n') }
}
