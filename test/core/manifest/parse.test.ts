import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { kinds } from '../../../core/kinds/index.ts'
import { editorSchema, parseManifest } from '../../../core/manifest/parse.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { readYaml } from '../../../core/source/read-yaml.ts'

const surface = {
  kind: 'document',
  path: '/api/v1/about',
  summary: 'About.',
  tags: ['about'],
  access: 'public',
  carries_pii: false,
  requires_consent: false,
  freshness: 'catalog',
  license: 'CC0-1.0',
  sources: ['self'],
  provenance: 'static',
  since: '2026-11-20',
  contract: 'envelope',
  document: 'about'
}

t.test('the published editor schema is the one of the code', t => {
  const published = readFileSync(join(packageFolder, 'manifests/schema.json'), 'utf8')
  t.same(JSON.parse(published), editorSchema(kinds), 'run `pantry schema` to write it again')
  t.end()
})

t.test('it holds the same as the schemas of the kinds', t => {
  const { $schema, ...schema } = editorSchema(kinds)
  t.equal($schema, 'http://json-schema.org/draft-07/schema#')
  const check = compileSchema(schema)
  t.same(check(surface), [])
  t.not(check({ ...surface, corpus: 'books' }).length, 0)
  t.not(check({ ...surface, kind: 'entry' }).length, 0)
  t.not(check({ ...surface, kind: 'other' }).length, 0)
  t.end()
})

t.test(
  'a field that was renamed is told its new name, and one called like a member of every object is told none',
  t => {
    const hintOf = (field: string): string | undefined =>
      parseManifest(readYaml('a.yaml', Buffer.from(`kind: discovery\n${field}: x\n`)), kinds).diagnostics.find(
        ({ message }) => message.includes(`\`${field}\``)
      )?.hint
    t.equal(hintOf('document'), 'It is called `serves` now.')
    for (const field of ['toString', 'constructor']) t.notMatch(hintOf(field) ?? '', /is called/)
    t.end()
  }
)
