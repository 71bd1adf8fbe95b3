import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../../core/canonical/json.ts'
import { CorpusDeclaration } from '../../../core/corpus/declaration.ts'
import { isDiagnosticCode } from '../../../core/diagnostics/catalog.ts'
import { referenceSections, referenceText } from '../../../core/discovery/reference.ts'
import { kinds } from '../../../core/kinds/index.ts'
import { ServiceSchema } from '../../../core/manifest/service.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { readYaml } from '../../../core/source/read-yaml.ts'
import { reportIssues } from '../../../core/source/report-issues.ts'
import { generationOf, library, serveGeneration } from '../../support/serve-root.ts'

type ObjectSchema = JsonSchema & Readonly<{ properties: Readonly<Record<string, JsonSchema>> }>

/** The schemas of typebox carry markers that are not JSON. */
const plain = (schema: object): ObjectSchema => JSON.parse(JSON.stringify(schema)) as ObjectSchema

const sections = referenceSections(kinds)

/** The schema behind each section, by its title. */
const schemas = new Map<string, ObjectSchema>([
  ...kinds.map(({ name, schema }) => [`kind: ${name}`, schema] as const),
  ['Every surface', kinds[0]!.schema],
  ['corpus.yaml', plain(CorpusDeclaration)],
  ['service.yaml', plain(ServiceSchema)]
])

const wrongValues: readonly JsonValue[] = [
  null,
  true,
  -1,
  1e9,
  1.5,
  'Not A Word!',
  '',
  'x'.repeat(3000),
  [],
  ['Not A Word!'],
  ['a', 'a'],
  [{}],
  {},
  { 'Not A Word!': {} }
]

t.test(
  'every key of every file is explained, with an example that its schema takes and the mistakes that it can raise',
  async t => {
    t.same(sections.map(({ title }) => title).sort(), [...schemas.keys()].sort(), 'every kind and file has a section')
    for (const { title, keys } of sections) {
      const schema = schemas.get(title)!
      for (const { key, meaning, example, required, diagnostics } of keys) {
        const at = `${title} ${key}`
        t.not(meaning, '', `${at} has a meaning`)
        t.not(example, null, `${at} has an example`)
        t.ok(diagnostics.length > 0 && diagnostics.every(isDiagnosticCode), `${at} names codes of the catalogue`)
        const own = schema.properties[key]
        // A key within a value takes its example and its codes from there.
        if (own === undefined) continue
        const check = compileSchema({
          type: 'object',
          properties: { [key]: own },
          required: required ? [key] : [],
          additionalProperties: false
        })
        const codesOf = (value: JsonObject): string[] =>
          reportIssues(readYaml('x.yaml', Buffer.from(JSON.stringify(value))), check(value), { noun: 'it' }).map(
            ({ code }) => code
          )
        t.same(codesOf({ [key]: example }), [], `the example of ${at} is valid`)
        const raised = new Set(
          [{}, { [`${key}x`]: example }, ...wrongValues.map(value => ({ [key]: value }))].flatMap(codesOf)
        )
        t.same(
          [...raised].filter(code => !diagnostics.includes(code)),
          [],
          `${at} names what it raises`
        )
      }
    }
  }
)

t.test('keys within a value have rows of their own', async t => {
  const rows = new Map(sections.flatMap(({ title, keys }) => keys.map(one => [`${title} ${one.key}`, one] as const)))
  t.match(rows.get('kind: collection limit.maximum'), {
    required: true,
    example: 100,
    diagnostics: ['M202', 'M203', 'M205', 'M208']
  })
  t.match(rows.get('kind: collection filters[].operation'), { required: true, example: 'since' })
  t.match(rows.get('Every surface examples[].expect.shows'), {
    required: false,
    example: { '/data/entry/slug': 'first-visit' }
  })
  t.match(rows.get('service.yaml errors.<name>.status'), {
    required: true,
    example: 409,
    diagnostics: ['M202', 'M203', 'M205', 'M208']
  })
})

t.test('a key names the values that it allows, once', async t => {
  const meanings = new Map(
    sections.flatMap(({ title, keys }) => keys.map(({ key, meaning }) => [`${title} ${key}`, meaning] as const))
  )
  t.equal(
    meanings.get('Every surface provenance'),
    'How the data came to be. One of `live`, `cached`, `snapshot`, `synced`, `computed`, `static`.'
  )
  for (const [key, word] of [
    ['Every surface stability', 'deprecated'],
    ['Every surface contract', 'math-mirror'],
    ['kind: discovery serves', 'openapi'],
    ['kind: witness normalise', 'collapse-whitespace']
  ] as const) {
    t.equal(meanings.get(key)?.split(`\`${word}\``).length, key.endsWith('stability') ? 3 : 2, key)
  }
})

t.test('a key names the mistakes it can raise: those of its schema, and those that the scenarios show', async t => {
  const codesOf = (title: string, key: string): readonly string[] =>
    sections.find(one => one.title === title)?.keys.find(one => one.key === key)?.diagnostics ?? []
  t.same(codesOf('kind: collection', 'limit'), ['M202', 'M203', 'M205', 'M208', 'M305', 'M306'])
  t.same(codesOf('Every surface', 'provenance'), ['M202', 'M203', 'M204'], 'whatever is none of its words')
  t.ok(codesOf('kind: status-only', 'location').includes('M324'))
  t.notOk(codesOf('kind: collection', 'with').includes('M309'), 'another kind raises that one')
})

t.test('the reference is served as it is, as JSON and as Markdown', async t => {
  const { get } = await serveGeneration(t, await generationOf(t, [library]))
  const json = await get('/schemas/manifest-reference')
  t.same(((await json.json()) as { sections: unknown }).sections, sections)
  const markdown = await get('/schemas/manifest-reference', { headers: { Accept: 'text/markdown' } })
  t.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8')
  t.equal(await markdown.text(), referenceText(sections))
  t.not(markdown.headers.get('etag'), json.headers.get('etag'))
  const { paths } = (await (await get('/api/openapi.json')).json()) as {
    paths: Record<string, { get: { responses: Record<string, { content: object }> } }>
  }
  t.strictSame(Object.keys(paths['/schemas/manifest-reference']?.get.responses['200']?.content ?? {}), [
    'application/json',
    'text/markdown'
  ])
})

t.test('core/REFERENCE.md is up to date', async t => {
  t.equal(
    readFileSync(join(packageFolder, 'core/REFERENCE.md'), 'utf8'),
    referenceText(sections),
    'run `pantry reference` and commit the file'
  )
})
