import type { JsonSchema, JsonValue } from '../canonical/json.ts'
import { CorpusDeclaration } from '../corpus/declaration.ts'
import { catalog, isDiagnosticCode } from '../diagnostics/catalog.ts'
import { concerns } from '../diagnostics/concerns.ts'
import type { Kind } from '../manifest/kind.ts'
import { ServiceSchema } from '../manifest/service.ts'

/** One key of a file that contributors write. */
export type ReferenceKey = Readonly<{
  key: string
  required: boolean
  meaning: string
  example: JsonValue
  /** Codes of `pantry explain` that it can raise. */
  diagnostics: readonly string[]
}>

export type ReferenceSection = Readonly<{ title: string, meaning: string, keys: readonly ReferenceKey[] }>

/** A misspelt name and a value of another type: mistakes that every key can raise. */
const always = ['M203', 'M205']

const shapeCodes: readonly (readonly [code: string, keywords: readonly string[]])[] = [
  ['M202', ['required']],
  ['M204', ['enum', 'const']],
  ['M206', ['pattern', 'format', 'anyOf']],
  ['M207', ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']],
  ['M208', ['minimum', 'maximum']],
  ['M209', ['uniqueItems']]
]

/** The keywords of a schema and of everything within it. */
const keywordsIn = (schema: unknown): string[] => typeof schema !== 'object' || schema === null ? [] : Array.isArray(schema)
  ? schema.flatMap(keywordsIn)
  : Object.entries(schema).flatMap(([name, value]) => ['examples', 'description', 'default'].includes(name) ? [] : [name, ...keywordsIn(value)])

function keyOf (files: readonly string[], key: string, schema: JsonSchema, required: boolean): ReferenceKey {
  const keywords = new Set(keywordsIn(schema))
  const shape = shapeCodes.filter(([, names]) => names.some(name => keywords.has(name))).map(([code]) => code)
  const [example = null] = schema['examples'] as readonly JsonValue[] | undefined ?? []
  return {
    key,
    required,
    meaning: typeof schema['description'] === 'string' ? schema['description'] : '',
    example,
    diagnostics: [...new Set([...always, ...required ? ['M202'] : [], ...shape, ...Object.keys(concerns).filter(code => isDiagnosticCode(code) && concerns[code]?.some(place => files.some(file => place === `${file}.${key}`)) === true)])].sort()
  }
}

/** What the schemas of typebox and plain JSON Schemas have in common. */
type ObjectSchema = Readonly<{ properties: Readonly<Record<string, object>>, required?: unknown }>

/** `files` are the kinds of manifest, or the name of another file, whose keys these are. */
const keysOf = (files: readonly string[], { properties, required }: ObjectSchema, isShown: (key: string) => boolean = () => true): ReferenceKey[] =>
  Object.entries(properties).filter(([key]) => isShown(key)).map(([key, schema]) => keyOf(files, key, schema as JsonSchema, Array.isArray(required) && required.includes(key)))

/** Every key of every file that contributors write, from the schemas that check them and the scenarios of the diagnostics. */
export function manifestReference (kinds: readonly Kind[]): readonly ReferenceSection[] {
  const [first] = kinds
  const everywhere = (key: string): boolean => key !== 'kind' && key !== 'method' && kinds.every(({ schema }) => key in schema.properties)
  return [
    { title: 'Every surface', meaning: 'A manifest declares one surface. These keys are the same for every kind.', keys: first === undefined ? [] : keysOf(kinds.map(({ name }) => name), first.schema, everywhere) },
    ...kinds.map(({ name, meaning, schema }) => ({ title: `kind: ${name}`, meaning, keys: keysOf([name], schema, key => !everywhere(key) && key !== 'kind') })),
    { title: 'corpus.yaml', meaning: 'A corpus is a folder below `corpora/` with this file, `schema.yaml` (the JSON Schema of one entry) and its entries.', keys: keysOf(['corpus.yaml'], CorpusDeclaration) },
    { title: 'service.yaml', meaning: 'Who answers, and the words for rights and freshness: `manifests/service.yaml`.', keys: keysOf(['service.yaml'], ServiceSchema) }
  ]
}

/** Every code that a key can raise, once. */
export const codesIn = (sections: readonly ReferenceSection[]): readonly string[] =>
  [...new Set(sections.flatMap(({ keys }) => keys.flatMap(({ diagnostics }) => diagnostics)))].sort()

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const row = ({ key, required, meaning, example, diagnostics }: ReferenceKey): string =>
  `| \`${key}\`${required ? ' (required)' : ''} | ${cell(meaning)} | \`${cell(`${key}: ${JSON.stringify(example)}`)}\` | ${diagnostics.filter(code => !always.includes(code)).join(', ')} |\n`

/** The reference as Markdown, with what each code means at its end. */
export function referenceText (sections: readonly ReferenceSection[]): string {
  const tables = sections.map(({ title, meaning, keys }) => `## ${title}\n\n${meaning}\n\n| Key | Meaning | Example | Diagnostics |\n|---|---|---|---|\n${keys.map(row).join('')}`)
  const meanings = codesIn(sections).map(code => `| ${code} | ${isDiagnosticCode(code) ? cell(catalog[code].title) : ''} |\n`).join('')
  return '# Reference of the files that contributors write\n\nGenerated by `pantry reference`: do not edit. Every key can also be misspelt (M203) or have the wrong type (M205); `pantry explain <code>` tells more.\n\n' +
    `${tables.join('\n')}\n## Diagnostics\n\n| Code | Mistake |\n|---|---|\n${meanings}`
}
