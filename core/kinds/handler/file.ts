import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { placeholdersOf } from '../../manifest/route.ts'
import type { Files, Place } from '../scaffold.ts'

/** A handler that greets. Where the root has no \`surfaces/define.ts\` it is given no services. */
export function handlerFile (id: string, path: string, { folder, core }: Place): Files {
  const from = join(folder, 'surfaces', 'handlers', dirname(id))
  const toDefine = relative(from, join(folder, 'surfaces', 'define.ts'))
  const hasDefine = existsSync(join(folder, 'surfaces', 'define.ts'))
  const [name] = placeholdersOf(path)
  const params = placeholdersOf(path).map(placeholder => `${placeholder}: Type.String({ minLength: 1, maxLength: 160 })`).join(', ')
  const text = [
    "import Type from 'typebox'",
    `import { ${hasDefine ? 'reply' : 'defineHandlerFor, reply'} } from '${relative(from, join(core, 'handler', 'handler.ts'))}'`,
    ...(hasDefine ? [`import { defineHandler } from '${toDefine.startsWith('.') ? '' : './'}${toDefine}'`] : ['', 'const defineHandler = defineHandlerFor<Readonly<Record<string, unknown>>>()']),
    '',
    'export default defineHandler({',
    ...(name === undefined ? [] : [`  params: Type.Object({ ${params} }),`]),
    '  // The schema of what `reply` gives is published: it says all of it.',
    '  reply: Type.Object({ message: Type.String() }, { additionalProperties: false }),',
    name === undefined ? "  handle: () => reply({ message: 'hello' })" : `  handle: ({ params }) => reply({ message: \`hello \${params.${name}}\` })`,
    '})',
    ''
  ]
  return { [`surfaces/handlers/${id}.ts`]: text.join('\n') }
}
