import type { Static } from 'typebox'
import { isObject, type JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { CorpusDeclaration } from '../corpus/declaration.ts'
import { catalog, isDiagnosticCode } from '../diagnostics/catalog.ts'
import { concerns } from '../diagnostics/concerns.ts'
import type { Kind } from '../manifest/kind.ts'
import { editorSchema } from '../manifest/parse.ts'
import { ServiceSchema } from '../manifest/service.ts'
import { Closed, defineDocument, MapOf, Text } from './define.ts'

const Key = Closed({
  key: Text,
  required: Type.Boolean(),
  meaning: Text,
  example: Type.Unsafe<JsonValue>({ description: 'A value that the key may have.' }),
  diagnostics: Type.Array(Text, { minItems: 1, description: 'Codes of the mistakes that can be made with the key.' })
})
const Section = Closed({ title: Text, meaning: Text, keys: Type.Array(Key) })

/** Keys within a value are written like `limit.default`, `filters[].name` and `errors.<name>.status`. */
type ReferenceKey = Static<typeof Key>
type ReferenceSection = Static<typeof Section>

/** M203: every key can be misspelt. M202: only a required key can be missing. */
const misspelt = 'M203'
const missing = 'M202'

const keywordsByCode = {
  [missing]: ['required'],
  M204: ['enum', 'const'],
  M205: ['type'],
  M206: ['pattern', 'format', 'anyOf'],
  M207: ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  M208: ['minimum', 'maximum'],
  M209: ['uniqueItems']
}
const codesByKeyword = new Map(
  Object.entries(keywordsByCode).flatMap(([code, keywords]) => keywords.map(keyword => [keyword, code]))
)

/** Returns the diagnostic codes of the keywords of a schema and of all schemas within it. */
const codesOf = (schema: unknown): string[] => {
  if (Array.isArray(schema)) return schema.flatMap(codesOf)
  if (!isObject(schema)) return []
  return Object.entries(schema).flatMap(([name, value]) =>
    ['examples', 'description', 'default'].includes(name) ? [] : [codesByKeyword.get(name) ?? [], codesOf(value)].flat()
  )
}

type CheckedSchema = Readonly<{
  description?: string
  examples?: readonly JsonValue[]
  enum?: readonly JsonValue[]
  const?: JsonValue
  properties?: Readonly<Record<string, CheckedSchema>>
  required?: readonly string[]
  items?: CheckedSchema
  anyOf?: readonly CheckedSchema[]
  patternProperties?: Readonly<Record<string, CheckedSchema>>
}>

type Part = Readonly<{
  name: string
  schema: CheckedSchema
  required: boolean
  /** Returns the values that the key has within an example value. */
  within: (value: JsonValue) => readonly JsonValue[]
}>

/** Returns the keys within an object (`.name`), a list (`[].name`) or the values of a map (`.<name>.name`). */
function partsOf(schema: CheckedSchema): readonly Part[] {
  const { properties = {}, required = [], items, anyOf = [], patternProperties = {} } = schema
  const members = Object.entries(properties).map(([name, member]): Part => ({
    name: `.${name}`,
    schema: member,
    required: required.includes(name),
    within: value => (isObject(value) && value[name] !== undefined ? [value[name]] : [])
  }))
  const prefixed = (prefix: string, inner: readonly CheckedSchema[]): Part[] =>
    inner
      .flatMap(partsOf)
      .map(part => ({
        ...part,
        name: prefix + part.name,
        within: value =>
          typeof value === 'object' && value !== null && Array.isArray(value) === (prefix === '[]')
            ? Object.values<JsonValue>(value).flatMap(part.within)
            : []
      }))
  const all = [
    ...members,
    ...prefixed('[]', items === undefined ? [] : [items]),
    ...prefixed('.<name>', Object.values(patternProperties)),
    ...anyOf.flatMap(partsOf)
  ]
  // If two alternatives of a value have the same key, the first one is kept.
  return all.filter(({ name }, index) => all.findIndex(part => part.name === name) === index)
}

/** Returns the values that a schema allows with `enum` or `const`, for itself or for the items of its list or map. */
function wordsOf({ enum: words, const: word, items, patternProperties = {} }: CheckedSchema): readonly JsonValue[] {
  if (words !== undefined) return words
  if (word !== undefined) return [word]
  return [...(items === undefined ? [] : [items]), ...Object.values(patternProperties)].flatMap(wordsOf)
}

/** Returns the description of a key. Allowed values are added unless it names all of them. */
function meaningOf(schema: CheckedSchema): string {
  const { description = '' } = schema
  const words = wordsOf(schema).map(word => (typeof word === 'string' ? word : JSON.stringify(word)))
  return words.every(word => description.includes(word))
    ? description
    : `${description} ${words.length === 1 ? 'Only' : 'One of'} ${words.map(word => `\`${word}\``).join(', ')}.`
}

function keyOf(
  files: readonly string[],
  key: string,
  schema: CheckedSchema,
  required: boolean,
  examples = schema.examples ?? []
): ReferenceKey[] {
  const beyondSchema = Object.entries(concerns).flatMap(([code, places]) =>
    files.some(file => places.includes(`${file}.${key}`)) ? [code] : []
  )
  const codes = new Set([misspelt, ...(required ? [missing] : []), ...codesOf(schema), ...beyondSchema])
  return [
    { key, required, meaning: meaningOf(schema), example: examples[0] ?? null, diagnostics: [...codes].sort() },
    ...partsOf(schema).flatMap(part =>
      keyOf(files, key + part.name, part.schema, part.required, examples.flatMap(part.within))
    )
  ]
}

/** Returns the keys of a schema. `files`: the kinds of manifests that have these keys, or the name of another file. */
function keysOf(
  files: readonly string[],
  schema: object,
  isShown: (key: string) => boolean = () => true
): ReferenceKey[] {
  const { properties = {}, required = [] } = schema as CheckedSchema
  return Object.entries(properties)
    .filter(([key]) => isShown(key))
    .flatMap(([key, member]) => keyOf(files, key, member, required.includes(key)))
}

/** Returns all keys of manifests, of `corpus.yaml` and of `service.yaml`, from the schemas that check these files. */
export function referenceSections(kinds: readonly Kind[]): readonly ReferenceSection[] {
  const [first] = kinds
  const everywhere = (key: string): boolean =>
    key !== 'kind' && key !== 'method' && kinds.every(({ schema }) => key in schema.properties)
  return [
    {
      title: 'Every surface',
      meaning: 'A manifest declares one surface. These keys are the same for every kind.',
      keys: keysOf(
        kinds.map(({ name }) => name),
        first?.schema ?? {},
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

const codesIn = (sections: readonly ReferenceSection[]): readonly string[] =>
  [...new Set(sections.flatMap(({ keys }) => keys.flatMap(({ diagnostics }) => diagnostics)))].sort()

/** Diagnostic codes that the introduction of the reference mentions, so its rows leave them out. */
const usual = [misspelt, 'M205']

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const row = ({ key, required, meaning, example, diagnostics }: ReferenceKey): string =>
  `| \`${key}\`${required ? ' (required)' : ''} | ${cell(meaning)} | \`${cell(`${key}: ${JSON.stringify(example)}`)}\` | ${diagnostics.filter(code => !usual.includes(code)).join(', ')} |\n`

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
  sections: Type.Array(Section, { description: 'The keys of all kinds, of each kind, and of the other files.' }),
  diagnostics: MapOf(Text, 'What each code means.')
})

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

const ManifestSchemaDocument = MapOf(Type.Unknown(), 'A JSON Schema, draft-07.')

/** Serves the JSON Schema with which editors check manifests. */
export const manifestSchema = defineDocument(ManifestSchemaDocument)({ build: ({ kinds }) => editorSchema(kinds) })
