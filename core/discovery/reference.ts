import { isObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { CorpusDeclaration } from '../corpus/declaration.ts'
import { catalog, isDiagnosticCode } from '../diagnostics/catalog.ts'
import { concerns } from '../diagnostics/concerns.ts'
import type { Kind } from '../manifest/kind.ts'
import { editorSchema } from '../manifest/parse.ts'
import { ServiceSchema } from '../manifest/service.ts'
import { Closed, defineDocument, Text } from './define.ts'

/**
 * One key of a file that contributors write. Keys within a value are written like `limit.default`, `filters[].name` and
 * `errors.<name>.status`.
 */
type ReferenceKey = Readonly<{
  key: string
  required: boolean
  meaning: string
  example: JsonValue
  /** Codes of `pantry explain` that the key can raise. */
  diagnostics: readonly string[]
}>

type ReferenceSection = Readonly<{ title: string; meaning: string; keys: readonly ReferenceKey[] }>

/** The code of a misspelt key, which every key can raise. */
const always = ['M203']

const shapeCodes: readonly (readonly [code: string, keywords: readonly string[]])[] = [
  ['M202', ['required']],
  ['M204', ['enum', 'const']],
  ['M205', ['type']],
  ['M206', ['pattern', 'format', 'anyOf']],
  ['M207', ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']],
  ['M208', ['minimum', 'maximum']],
  ['M209', ['uniqueItems']]
]

/** Returns the keywords of a schema and of all schemas within it. */
const keywordsIn = (schema: unknown): string[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : Array.isArray(schema)
      ? schema.flatMap(keywordsIn)
      : Object.entries(schema).flatMap(([name, value]) =>
          ['examples', 'description', 'default'].includes(name) ? [] : [name, ...keywordsIn(value)]
        )

type Part = Readonly<{
  name: string
  schema: JsonSchema
  required: boolean
  within: (value: JsonValue) => readonly JsonValue[]
}>

/**
 * Returns the keys within a value, each with a function that finds its examples: keys of a mapping (`.name`), of list
 * items (`[].name`) and of a table's values (`.<name>.name`).
 */
function partsOf(schema: JsonSchema): readonly Part[] {
  const {
    properties = {},
    required = [],
    items,
    anyOf = [],
    patternProperties = {}
  } = schema as Readonly<{
    properties?: Record<string, JsonSchema>
    required?: readonly string[]
    items?: JsonSchema
    anyOf?: readonly JsonSchema[]
    patternProperties?: Record<string, JsonSchema>
  }>
  const members = Object.entries(properties).map(([name, one]): Part => ({
    name: `.${name}`,
    schema: one,
    required: required.includes(name),
    within: value => (isObject(value) && value[name] !== undefined ? [value[name]] : [])
  }))
  const listed = (items === undefined ? [] : partsOf(items)).map((part): Part => ({
    ...part,
    name: `[]${part.name}`,
    within: value => (Array.isArray(value) ? (value as readonly JsonValue[]).flatMap(part.within) : [])
  }))
  const named = Object.values(patternProperties)
    .flatMap(partsOf)
    .map((part): Part => ({
      ...part,
      name: `.<name>${part.name}`,
      within: value => (isObject(value) ? Object.values(value).flatMap(part.within) : [])
    }))
  const all = [...members, ...listed, ...named, ...anyOf.flatMap(partsOf)]
  // If two alternatives of a value have the same key, the first one is kept.
  return all.filter(({ name }, index) => all.findIndex(one => one.name === name) === index)
}

/** Returns the values that a schema lists with `enum` or `const`, for itself or for the items of its list or table. */
function wordsOf(schema: JsonSchema): readonly JsonValue[] {
  const {
    enum: words,
    const: word,
    items,
    patternProperties = {}
  } = schema as Readonly<{
    enum?: readonly JsonValue[]
    const?: JsonValue
    items?: JsonSchema
    patternProperties?: Record<string, JsonSchema>
  }>
  if (words !== undefined) return words
  if (word !== undefined) return [word]
  return [...(items === undefined ? [] : [items]), ...Object.values(patternProperties)].flatMap(wordsOf)
}

/** Returns the description of a key. If it does not name all allowed values, they are added. */
function meaningOf(schema: JsonSchema): string {
  const meaning = typeof schema['description'] === 'string' ? schema['description'] : ''
  const words = wordsOf(schema).map(word => (typeof word === 'string' ? word : JSON.stringify(word)))
  return words.every(word => meaning.includes(word))
    ? meaning
    : `${meaning} ${words.length === 1 ? 'Only' : 'One of'} ${words.map(word => `\`${word}\``).join(', ')}.`
}

/** Returns a key and the keys within its value. */
function keyOf(
  files: readonly string[],
  key: string,
  schema: JsonSchema,
  required: boolean,
  examples = (schema['examples'] as readonly JsonValue[] | undefined) ?? []
): ReferenceKey[] {
  const keywords = new Set(keywordsIn(schema))
  const shape = shapeCodes.filter(([, names]) => names.some(name => keywords.has(name))).map(([code]) => code)
  const concerned = Object.keys(concerns).filter(
    code =>
      isDiagnosticCode(code) && concerns[code]?.some(place => files.some(file => place === `${file}.${key}`)) === true
  )
  return [
    {
      key,
      required,
      meaning: meaningOf(schema),
      example: examples[0] ?? null,
      diagnostics: [...new Set([...always, ...(required ? ['M202'] : []), ...shape, ...concerned])].sort()
    },
    ...partsOf(schema).flatMap(part =>
      keyOf(files, key + part.name, part.schema, part.required, examples.flatMap(part.within))
    )
  ]
}

/** The common part of TypeBox schemas and plain JSON Schemas. */
type ObjectSchema = Readonly<{ properties: Readonly<Record<string, object>>; required?: unknown }>

/** Returns the keys of a schema. `files` are the manifest kinds that have these keys, or the name of another file. */
const keysOf = (
  files: readonly string[],
  { properties, required }: ObjectSchema,
  isShown: (key: string) => boolean = () => true
): ReferenceKey[] =>
  Object.entries(properties)
    .filter(([key]) => isShown(key))
    .flatMap(([key, schema]) =>
      keyOf(files, key, schema as JsonSchema, Array.isArray(required) && required.includes(key))
    )

/**
 * Returns all keys of all files that contributors write, from the schemas that check them. `concerns` adds the
 * diagnostics beyond the schema.
 */
export function referenceSections(kinds: readonly Kind[]): readonly ReferenceSection[] {
  const [first] = kinds
  const everywhere = (key: string): boolean =>
    key !== 'kind' && key !== 'method' && kinds.every(({ schema }) => key in schema.properties)
  return [
    {
      title: 'Every surface',
      meaning: 'A manifest declares one surface. These keys are the same for every kind.',
      keys:
        first === undefined
          ? []
          : keysOf(
              kinds.map(({ name }) => name),
              first.schema,
              everywhere
            )
    },
    ...kinds.map(({ name, meaning, schema }) => ({
      title: `kind: ${name}`,
      meaning,
      keys: keysOf([name], schema, key => !everywhere(key) && key !== 'kind')
    })),
    {
      title: 'corpus.yaml',
      meaning:
        'A corpus is a folder below `corpora/` with this file, `schema.yaml` (the JSON Schema of one entry) and its entries.',
      keys: keysOf(['corpus.yaml'], CorpusDeclaration)
    },
    {
      title: 'service.yaml',
      meaning: 'Who answers, and the words for rights and freshness: `manifests/service.yaml`.',
      keys: keysOf(['service.yaml'], ServiceSchema)
    }
  ]
}

/** Returns the codes that any of the keys can raise, each once. */
const codesIn = (sections: readonly ReferenceSection[]): readonly string[] =>
  [...new Set(sections.flatMap(({ keys }) => keys.flatMap(({ diagnostics }) => diagnostics)))].sort()

/** Codes that the introduction mentions, so the rows leave them out. */
const usual: readonly string[] = [...always, 'M205']

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const row = ({ key, required, meaning, example, diagnostics }: ReferenceKey): string =>
  `| \`${key}\`${required ? ' (required)' : ''} | ${cell(meaning)} | \`${cell(`${key}: ${JSON.stringify(example)}`)}\` | ${diagnostics.filter(code => !usual.includes(code)).join(', ')} |\n`

/** Returns the reference as Markdown, with the meaning of each code at the end. */
export function referenceText(sections: readonly ReferenceSection[]): string {
  const tables = sections.map(
    ({ title, meaning, keys }) =>
      `## ${title}\n\n${meaning}\n\n| Key | Meaning | Example | Diagnostics |\n|---|---|---|---|\n${keys.map(row).join('')}`
  )
  const meanings = codesIn(sections)
    .map(code => `| ${code} | ${isDiagnosticCode(code) ? cell(catalog[code].title) : ''} |\n`)
    .join('')
  return (
    '# Reference of the files that contributors write\n\nGenerated by `pantry reference`: do not edit. Every key can also be misspelt (M203), and most can have the wrong type (M205); `pantry explain <code>` tells more.\n\n' +
    `${tables.join('\n')}\n## Diagnostics\n\n| Code | Mistake |\n|---|---|\n${meanings}`
  )
}

const ManifestReferenceDocument = Closed({
  sections: Type.Array(
    Closed({
      title: Text,
      meaning: Text,
      keys: Type.Array(
        Closed({
          key: Text,
          required: Type.Boolean(),
          meaning: Text,
          example: Type.Unknown({ description: 'A value that the key may have.' }),
          diagnostics: Type.Array(Text, {
            minItems: 1,
            description: 'Codes of the mistakes that can be made with the key.'
          })
        })
      )
    }),
    { description: 'The keys of all kinds, of each kind, and of the other files.' }
  ),
  diagnostics: Type.Record(Type.String(), Text, { description: 'What each code means.' })
})

/** Lists every key of the files that contributors write, for tools that help them. */
export const manifestReference = defineDocument(ManifestReferenceDocument)({
  build: ({ kinds }) => {
    const sections = referenceSections(kinds)
    return {
      sections,
      diagnostics: Object.fromEntries(
        codesIn(sections)
          .filter(isDiagnosticCode)
          .map(code => [code, catalog[code].title])
      )
    }
  },
  renderings: { md: ({ kinds }) => referenceText(referenceSections(kinds)) }
})

const ManifestSchemaDocument = Type.Record(Type.String(), Type.Unknown(), { description: 'A JSON Schema, draft-07.' })

/** Serves the JSON Schema with which editors check manifests. */
export const manifestSchema = defineDocument(ManifestSchemaDocument)({ build: ({ kinds }) => editorSchema(kinds) })
