import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { placeholdersOf } from '../../manifest/route.ts'
import type { Files, Place } from '../scaffold.ts'

/** Files that may give a root its own `defineHandler`, which knows its services. */
const definers = ['surfaces/define.ts', 'surfaces/services.ts', 'surfaces/services.js']

const definerOf = (folder: string): string | undefined =>
  definers.find(file => existsSync(join(folder, file)) && /^export const defineHandler\b/m.test(readFileSync(join(folder, file), 'utf8')))

/** A handler that greets, in the language of the root: TypeScript where it has a `tsconfig.json`. A root without a `defineHandler` of its own is given no services. */
export function handlerFile (id: string, path: string, { folder }: Place): Files {
  const definer = definerOf(folder)
  const toDefiner = definer === undefined ? '' : relative(dirname(join('surfaces', 'handlers', id)), definer)
  const placeholders = placeholdersOf(path)
  const params = placeholders.map(placeholder => `${placeholder}: Type.String({ minLength: 1, maxLength: 160 })`).join(', ')
  const typed = existsSync(join(folder, 'tsconfig.json'))
  const text = [
    ...(typed ? [] : ['// @ts-check']),
    `import { ${definer === undefined ? 'defineHandler, ' : ''}reply, Type } from 'pantry/handler'`,
    ...(definer === undefined ? [] : [`import { defineHandler } from '${toDefiner.startsWith('.') ? '' : './'}${toDefiner}'`]),
    '',
    'export default defineHandler({',
    ...(placeholders.length === 0 ? [] : [`  params: Type.Object({ ${params} }),`]),
    '  // The schema of what `reply` gives is published: it says all of it.',
    '  reply: Type.Object({ message: Type.String() }, { additionalProperties: false }),',
    placeholders.length === 0 ? "  handle: () => reply({ message: 'hello' })" : `  handle: ({ params }) => reply({ message: \`hello \${params.${placeholders[0] ?? ''}}\` })`,
    '})',
    ''
  ]
  return { [`surfaces/handlers/${id}.${typed ? 'ts' : 'js'}`]: text.join('\n') }
}
