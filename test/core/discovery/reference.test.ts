import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import type { JsonSchema } from '../../../core/canonical/json.ts'
import { manifestReference, referenceText } from '../../../core/discovery/reference.ts'
import { kinds } from '../../../core/kinds/index.ts'
import { compileSchema } from '../../../core/schema/compile.ts'

const sections = manifestReference(kinds)

t.test('every key of every kind and of a corpus is explained, with an example that its schema takes', async t => {
  const schemas = new Map<string, JsonSchema>(kinds.flatMap(({ name, schema }) => Object.entries(schema.properties).map(([key, one]) => [`kind: ${name}.${key}`, one] as const)))
  const first = kinds[0]?.schema.properties ?? {}
  for (const { title, keys } of sections.filter(section => section.title !== 'service.yaml')) {
    for (const { key, meaning, example } of keys) {
      t.not(meaning, '', `${title} ${key} has a meaning`)
      t.not(example, null, `${title} ${key} has an example`)
      const schema = title === 'Every surface' ? first[key] : schemas.get(`${title}.${key}`)
      if (schema !== undefined) t.same(compileSchema(schema)(example), [], `the example of ${title} ${key} is valid`)
    }
  }
  t.same(kinds.map(({ name }) => `kind: ${name}`).filter(title => !sections.some(section => section.title === title)), [], 'every kind has a section')
})

t.test('a key names the mistakes it can raise: those of its schema, and those that the scenarios show', async t => {
  const codesOf = (title: string, key: string): readonly string[] => sections.find(one => one.title === title)?.keys.find(one => one.key === key)?.diagnostics ?? []
  t.same(codesOf('kind: collection', 'limit'), ['M208', 'M305', 'M306'])
  t.same(codesOf('Every surface', 'provenance'), ['M202', 'M204'])
  t.ok(codesOf('kind: status-only', 'location').includes('M324'))
  t.notOk(codesOf('kind: collection', 'with').includes('M309'), 'another kind raises that one')
})

t.test('core/REFERENCE.md is up to date', async t => {
  t.equal(readFileSync(join(packageFolder, 'core/REFERENCE.md'), 'utf8'), referenceText(sections), 'run `pantry reference` and commit the file')
})
