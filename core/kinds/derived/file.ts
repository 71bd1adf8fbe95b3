import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Files, ScaffoldPlace } from '../scaffold.ts'

/**
 * Returns an example handler that counts the surfaces. It is TypeScript if the root has a `tsconfig.json`, else
 * JavaScript.
 */
export function derivedFile(id: string, { folder }: ScaffoldPlace): Files {
  const typed = existsSync(join(folder, 'tsconfig.json'))
  const text = [
    ...(typed ? [] : ['// @ts-check']),
    "import { defineDerived, reply, Type } from 'pantry/handler'",
    '',
    'export default defineDerived({',
    '  // The schema of what `reply` gives is published: it says all of it.',
    '  reply: Type.Object({ surfaces: Type.Integer() }, { additionalProperties: false }),',
    '  derive: ({ registry }) => reply({ surfaces: registry.surfaces.length })',
    '})',
    ''
  ]
  return { [`surfaces/handlers/${id}.${typed ? 'ts' : 'js'}`]: text.join('\n') }
}
