import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import Type from 'typebox'
import { packageFolder } from '../../../bin/roots.ts'
import { defineHandlerFor, reply } from '../../../core/handler/handler.ts'
import { kinds } from '../../../core/kinds/index.ts'
import { loadRegistry } from '../../../core/registry/load.ts'
import { propertiesOf } from '../../../core/schema/json-schema.ts'
import { LoadCache } from '../../../core/source/read-folder.ts'
import { standard } from '../../support/standard.ts'

const handler = defineHandlerFor()({
  query: Type.Object({ q: Type.String() }),
  corpora: { shades: Type.Object({ id: Type.String() }) },
  queryFrom: ({ shades }) =>
    Object.fromEntries(
      shades.entries.map(({ id }) => [`shade.${id}`, Type.Integer({ description: `How much ${id}.` })])
    ),
  reply: Type.Object({}, { additionalProperties: false }),
  handle: () => reply({})
})

const manifest = `kind: handler
path: /api/v1/mix
summary: A mix.
tags: [mix]
access: public
carries_pii: false
requires_consent: false
freshness: catalog
license: CC0-1.0
sources: [self]
provenance: computed
since: 2026-11-22
contract: envelope
examples:
  - { title: Of two, query: { q: a, shade.red: 3 } }
`

t.test('query parameters that follow from a corpus change with it', t => {
  const folder = t.testdir({
    corpora: {
      shades: {
        'corpus.yaml': 'title: Shades\nkey: id\norder: [id]\nlicense: CC0-1.0\nsource: self\nroles: { title: id }\n',
        'schema.yaml':
          'type: object\nadditionalProperties: false\nrequired: [id]\nproperties:\n  id: { type: string }\n',
        'entries.yaml': '- { id: red }\n'
      }
    },
    manifests: { 'mix.yaml': manifest }
  })
  const none = { handlers: new Map(), handlerFiles: new Map(), problems: [] }
  const reuse = new LoadCache()
  const queryOf = (): Readonly<Record<string, unknown>> => {
    const { registry, diagnostics } = loadRegistry({
      kinds,
      reuse,
      roots: [
        standard,
        { ...none, name: 'library', folder: join(packageFolder, 'test/fixture/library') },
        { ...none, name: 'mixes', folder, handlers: new Map([['mix', handler]]) }
      ]
    })
    t.same(diagnostics, [])
    return propertiesOf(registry?.byId.get('mix')?.input.query ?? {})
  }
  t.match(queryOf(), { q: { type: 'string' }, 'shade.red': { type: 'integer', description: 'How much red.' } })
  writeFileSync(join(folder, 'corpora/shades/entries.yaml'), '- { id: red }\n- { id: teal }\n')
  t.same(Object.keys(queryOf()), ['q', 'shade.red', 'shade.teal'])
  t.end()
})
