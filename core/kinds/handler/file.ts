import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { placeholdersOf } from '../../manifest/route.ts'
import type { Files, Place } from '../scaffold.ts'

/**
 * A handler that greets, in the language of the root: TypeScript where it has a `tsconfig.json`. A root without a
 * `defineHandler` of its own is given no services.
 */
export function handlerFile(id: string, path: string, { folder, definer }: Place): Files {
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
