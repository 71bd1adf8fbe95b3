import { Type } from '../../canonical/type.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { ManifestFile } from '../../manifest/kind.ts'
import { closed, Field, type ManifestWith } from '../../manifest/manifest.ts'
import { report } from '../../source/report.ts'
import { Sentence } from '../fields.ts'

const Prompt = Type.Object(
  {
    title: Sentence(80, 'What people see.'),
    description: Sentence(200, 'When it is of use.'),
    arguments: Type.Optional(
      Type.Record(Field, Sentence(160, 'What it is.'), {
        description: 'What a person fills in. All of it is required.'
      })
    ),
    text: Sentence(4000, 'The message. `{name}` stands for an argument.')
  },
  closed
)

export const fields = {
  method: Type.Optional(Type.Enum(['POST'], { examples: ['POST'], description: 'Only POST.' })),
  instructions: Type.String({
    minLength: 1,
    maxLength: 2000,
    examples: ['Books of one library. Look a book up before you say that it is there.'],
    description: 'What a model reads before it uses the tools.'
  }),
  tools: Type.Optional(
    Type.Record(Field, Sentence(200, 'Id of a surface.'), {
      examples: [{ find_a_book: 'library/search' }],
      description: 'Surfaces that are tools under a name of their own, after those with `agent: core`.'
    })
  ),
  resources: Type.Optional(
    Type.Record(Field, Type.String({ pattern: '^/', maxLength: 300 }), {
      examples: [{ about: '/api/v1/about', guide: '/api/v1/library/guides/{slug}' }],
      description:
        'What a person may hand to a model: for each name a surface, by its path; with `{name}` in it, a template (RFC 6570).'
    })
  ),
  prompts: Type.Optional(
    Type.Record(Field, Prompt, {
      examples: [
        {
          find_book: {
            title: 'Find a book',
            description: 'When you know a part of its title.',
            arguments: { title: 'A part of the title.' },
            text: 'Find the book that is called {title}.'
          }
        }
      ],
      description: 'Messages that a person may begin with, by name.'
    })
  )
}

export type McpManifest = ManifestWith<typeof fields>

export type McpAnswer = Readonly<{
  instructions: string
  tools: NonNullable<McpManifest['tools']>
  resources: NonNullable<McpManifest['resources']>
  prompts: NonNullable<McpManifest['prompts']>
}>

export function* checkMcp({ source, manifest: { prompts = {} } }: ManifestFile<McpManifest>): Generator<Diagnostic> {
  for (const [prompt, { arguments: declared = {}, text }] of Object.entries(prompts)) {
    const used = new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))
    for (const name of used)
      if (!Object.hasOwn(declared, name)) {
        const message = `The text of the prompt names \`{${name}}\`, which is no argument of it.`
        yield report(source, 'M329', ['prompts', prompt, 'text'], message)
      }
    for (const name of Object.keys(declared))
      if (!used.has(name)) {
        const message = `The text of the prompt does not name \`{${name}}\`.`
        yield report(source, 'M329', ['prompts', prompt, 'arguments', name], message)
      }
  }
}
