import type { Static } from 'typebox'
import { isObject, type JsonSchema } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import type { DiagnosticCode } from '../diagnostics/catalog.ts'
import type { Diagnostic, Issue } from '../diagnostics/diagnostic.ts'
import { keyHint, suggestionHint } from '../diagnostics/suggest.ts'
import { checkSchema } from '../schema/compile.ts'
import { openDefinitions } from '../schema/definitions.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'
import { unsafePatternHint, unsafePatterns } from '../schema/patterns.ts'
import { report, type Pointer, type SourceFile } from '../source/report.ts'

const closed = { additionalProperties: false } as const
const distinct = { minItems: 1, uniqueItems: true }
const Field = Type.String({ pattern: '^[A-Za-z_@][A-Za-z0-9_]*$', maxLength: 60 })
const Text = Type.String({ minLength: 1, maxLength: 2000 })

/** Matches the name of a table, with its schema before a dot or without. */
export const tableNamePattern = '^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?$'

/** Schema of `corpus.yaml`; the type of the same name is that of its checked content. */
export const CorpusDeclaration = Type.Object(
  {
    title: { ...Text, examples: ['Guides'], description: 'What the corpus is called.' },
    key: { ...Field, examples: ['slug'], description: 'Field that names an entry.' },
    order: Type.Array(Type.String({ pattern: '^-?[A-Za-z_@][A-Za-z0-9_]*$' }), {
      ...distinct,
      examples: [['-published', 'title']],
      description: 'Fields to sort by; `-field` from high to low.'
    }),
    license: { ...Text, examples: ['CC0-1.0'], description: 'License tier of the content, from `service.yaml`.' },
    source: {
      ...Text,
      examples: ['Written by the library.'],
      description: 'Where the content was authored or taken from.'
    },
    roles: Type.Optional(
      Type.Object(
        {
          title: Type.Optional({ ...Field, description: 'Its heading.' }),
          date: Type.Optional({ ...Field, description: 'When it was published.' }),
          text: Type.Optional({ ...Field, description: 'Its words.' }),
          link: Type.Optional({ ...Field, description: 'Where it leads: a path or an address.' })
        },
        {
          ...closed,
          examples: [{ title: 'title', date: 'published', text: 'body', link: 'homepage' }],
          description:
            'Fields that text renderings show as title, date, text and link. `text` is also the field for what is below the front matter of a Markdown entry.'
        }
      )
    ),
    keep: Type.Optional(
      Type.Array(Field, {
        ...distinct,
        examples: [['verified']],
        description:
          'Fields that every answer shows, whatever members of an entry a caller chooses with `fields`. The key is shown in any case, and so are fields whose names say rights, license, sources, provenance, who signed, what is unsure or withheld: they need no mention.'
      })
    ),
    hash: Type.Optional(
      Type.Object(
        {
          field: { ...Field, description: 'The computed field.' },
          over: Type.Array(Field, { ...distinct, description: 'Fields that the hash covers.' })
        },
        {
          ...closed,
          examples: [{ field: 'revision', over: ['title', 'body'] }],
          description: 'A field that no entry gives: SHA-256 over the canonical JSON of other fields, lowercase hex.'
        }
      )
    ),
    languages: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 35 }), {
        ...distinct,
        examples: [['en', 'de', 'pt-BR']],
        description:
          'Languages of the content as tags (BCP 47), the default first. The entries of another one are in files with its tag, such as `entries.de.yaml` or `entries/<key>.de.md`: the key of each, and the members that are translated. The surfaces of the corpus then answer in the language that `lang` or `Accept-Language` asks for.'
      })
    ),
    table: Type.Optional(
      Type.String({
        pattern: tableNamePattern,
        maxLength: 127,
        examples: ['places'],
        description:
          'Table or view of the database whose rows are the entries; `schema.yaml` then has its columns. `pantry table` writes both files.'
      })
    ),
    search: Type.Optional(
      Type.Object(
        {
          column: { ...Field, description: 'Column of type `tsvector`.' },
          language: Type.Optional({
            ...Field,
            description: 'Text search configuration that made the column. Default `simple`.'
          })
        },
        {
          ...closed,
          examples: [{ column: 'words', language: 'english' }],
          description: 'With `table`: where the words to search are.'
        }
      )
    ),
    separator: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 3,
        pattern: '^[^,"\\s]+$',
        examples: [';'],
        description: 'What separates the items of a list within a cell of `entries.csv`, such as `;`.'
      })
    )
  },
  closed
)

export type CorpusDeclaration = Readonly<Static<typeof CorpusDeclaration>>

/** What only a corpus with files of entries declares. */
const ofFiles = ['hash', 'languages', 'separator'] as const

function* checkTable(source: SourceFile, declaration: CorpusDeclaration): Generator<Diagnostic> {
  if (declaration.table === undefined) {
    if (declaration.search !== undefined)
      yield report(source, 'C216', ['search'], 'Only the rows of a table are searched.', {
        on: 'key',
        hint: 'Remove `search`, or name a `table`.'
      })
    return
  }
  for (const name of ofFiles)
    if (declaration[name] !== undefined)
      yield report(source, 'C216', [name], `\`${name}\` is for files of entries, and these entries are rows.`, {
        on: 'key',
        hint: `Remove \`${name}\`, or \`table\`.`
      })
}

const keyTypes = (declaration: CorpusDeclaration): readonly string[] =>
  declaration.table === undefined ? ['string'] : ['string', 'integer']

export function* checkDeclaration(
  source: SourceFile,
  declaration: CorpusDeclaration,
  schemaSource: SourceFile,
  schema: JsonSchema,
  fileNames: readonly string[]
): Generator<Diagnostic> {
  const { key, order, roles = {}, keep = [], hash } = declaration
  const properties = propertiesOf(schema)
  yield* checkTable(source, declaration)
  const markdown = fileNames.find(name => name.endsWith('.md'))
  if (roles.text === undefined && markdown !== undefined)
    yield report(source, 'C210', ['roles'], `\`${markdown}\` has a text, but nothing says which field it is.`, {
      on: 'key',
      hint: 'Add `roles: { text: body }` with the name of that field.'
    })
  const types = keyTypes(declaration)
  if (!requiredOf(schema).includes(key) || !types.includes(String(properties[key]?.['type']))) {
    const message = `\`${key}\` is not a required property of type ${types.join(' or ')} in \`${schemaSource.file}\`.`
    const hint =
      key in properties
        ? `Give it \`type: ${types.join('` or `')}\` and list it under \`required\`.`
        : suggestionHint(key, Object.keys(properties))
    yield report(source, 'C206', ['key'], message, { hint })
  }
  const unknown = (pointer: Pointer, field: string): Diagnostic[] => {
    const hint = suggestionHint(field, Object.keys(properties))
    const message = `\`${schemaSource.file}\` has no property \`${field}\`.`
    return field in properties ? [] : [report(source, 'C207', pointer, message, { hint })]
  }
  yield* order.flatMap((name, index) => unknown(['order', index], name.replace(/^-/, '')))
  yield* Object.entries(roles).flatMap(([role, field]) => unknown(['roles', role], field))
  yield* keep.flatMap((name, index) => unknown(['keep', index], name))
  if (hash === undefined) return
  const { field, over } = hash
  yield* unknown(['hash', 'field'], field)
  yield* over.flatMap((name, index) => unknown(['hash', 'over', index], name))
  if (over.includes(field))
    yield report(source, 'C209', ['hash', 'over', over.indexOf(field)], `The hash \`${field}\` cannot cover itself.`, {
      hint: 'Remove it from `over`.'
    })
}

export function checkObjectSchema(
  source: SourceFile,
  at: Pointer,
  schema: JsonSchema,
  codes: Readonly<{ invalid: DiagnosticCode; unsafe: DiagnosticCode }>
): Diagnostic[] {
  const issues: readonly Pick<Issue, 'pointer' | 'message' | 'on' | 'key' | 'allowed'>[] =
    schema['type'] === 'object'
      ? checkSchema(schema)
      : [{ pointer: ['type'], message: 'The schema must have `type: object`.', on: 'value' as const }]
  if (issues.length > 0)
    return issues.map(({ pointer, message, on, key, allowed = [] }) => {
      const hint = key === undefined ? undefined : keyHint(key, allowed.map(String))
      return report(source, codes.invalid, [...at, ...pointer], message, { on, hint })
    })
  return unsafePatterns(schema).map(({ pointer, pattern }) =>
    report(source, codes.unsafe, [...at, ...pointer], `\`${pattern}\` can backtrack without bound.`, {
      hint: unsafePatternHint
    })
  )
}

/**
 * Checks a file that contains the JSON Schema of an object. `schema` has its definitions at its root (see
 * `openDefinitions`), and is `undefined` if it has mistakes.
 */
export function checkSchemaFile(source: SourceFile): {
  schema: JsonSchema | undefined
  diagnostics: readonly Diagnostic[]
} {
  const { value } = source
  if (value === undefined) return { schema: undefined, diagnostics: source.diagnostics }
  const schema = isObject(value) ? value : {}
  const diagnostics = checkObjectSchema(source, [], schema, { invalid: 'C204', unsafe: 'C205' })
  return { schema: diagnostics.length > 0 ? undefined : openDefinitions(schema), diagnostics }
}
