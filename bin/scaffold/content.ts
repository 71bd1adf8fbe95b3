import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { placeholdersOf } from '../../core/manifest/route.ts'

/** Files of a new surface by their path below the root. */
export type Files = Readonly<Record<string, string>>

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

const corpusText = (name: string, license: string): string => `# What the collection is, and under which rights.
title: ${titleOf(name)}
# Field that names an entry.
key: id
# Fields to sort by; \`-field\` from high to low.
order: [id]
license: ${license}
# Where the content comes from.
source: Written for this service.
# Fields that text renderings show.
roles: { title: title, text: text }
`

const schemaText = `# JSON Schema of one entry.
type: object
additionalProperties: false
required: [id, title, text]
properties:
  id: { type: string, pattern: '^[a-z0-9-]{1,60}$', description: Name of the entry. }
  title: { type: string, minLength: 1, maxLength: 120, description: Heading. }
  text: { type: string, minLength: 1, maxLength: 2000, description: The entry itself. }
`

const entriesText = `# The entries, or one file each in \`entries/\`.
- id: first
  title: The first entry
  text: Replace it with your own.
`

/** A corpus with one entry. */
export const corpusFiles = (name: string, license: string): Files => ({
  [`corpora/${name}/corpus.yaml`]: corpusText(name, license),
  [`corpora/${name}/schema.yaml`]: schemaText,
  [`corpora/${name}/entries.yaml`]: entriesText
})

export const documentFile = (name: string): Files => ({
  [`corpora/documents/${name}.yaml`]: `# The answer, as it stands.\n'@kind': ${name}\ntitle: ${titleOf(name)}\ntext: Replace it with your own.\n`
})

/** A handler that greets. Where the root has no \`surfaces/define.ts\` it is given no services. */
export function handlerFile (id: string, path: string, { folder, core }: Readonly<{ folder: string, core: string }>): Files {
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
