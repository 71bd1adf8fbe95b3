import { Validator } from '@seriousme/openapi-schema-validator'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { clientFiles } from '../../bin/client/files.ts'
import type { JsonObject } from '../../core/canonical/json.ts'
import { libraryIn, pantry } from '../support/command-line.ts'

const head = (path: string, more: string): string => `
path: ${path}
summary: The shelves as they stand.
tags: [library]
access: public
carries_pii: false
requires_consent: false
freshness: status
license: CC0-1.0
sources: [self]
provenance: static
since: 2026-11-20
contract: envelope
${more}`

const shelves = `
type: object
additionalProperties: false
required: [id, level, root]
properties:
  id: { type: string, description: Its id. }
  level: { $ref: '#/$defs/level', description: The floor. }
  levels: { type: array, description: Other floors., items: { $ref: '#/$defs/level' } }
  root: { $ref: '#/$defs/node', description: What stands on it. }
  part_of: { anyOf: [{ $ref: '#' }, { type: 'null' }], description: The shelf around it. }
$defs:
  level: { type: string, enum: [ground, first] }
  node:
    type: object
    additionalProperties: false
    required: [name]
    properties:
      name: { type: string, description: Its name. }
      branch: { type: string, x-corpus: branches, description: Where it is. }
      children: { type: array, description: What is in it., items: { $ref: '#/$defs/node' } }
`

const handlers = {
  'tree.js': `
import { Type } from 'typebox'
const Node = Type.Cyclic(
  { Node: Type.Object({ label: Type.String(), size: Type.Integer(), children: Type.Array(Type.Ref('Node')) }) },
  'Node'
)
const leaf = { label: 'leaf', size: 1, children: [] }
export default {
  entries: { in: 'trees', key: 'label' },
  reply: Type.Object({ best: Node, trees: Type.Array(Node) }, { additionalProperties: false }),
  handle: () => ({ data: { best: leaf, trees: [{ ...leaf, label: 'root', children: [leaf] }] } })
}
`,
  'grown.js': `
const word = { type: 'string', minLength: 1, maxLength: 20 }
export const post = {
  body: {
    limitBytes: 4096,
    schema: {
      type: 'object',
      required: ['first'],
      additionalProperties: false,
      properties: { first: { $ref: '#/$defs/twig' } },
      $defs: {
        word,
        twig: {
          type: 'object',
          required: ['word'],
          additionalProperties: false,
          properties: { word: { $ref: '#/$defs/word' }, twigs: { type: 'array', items: { $ref: '#/$defs/twig' } } }
        }
      }
    }
  },
  reply: { type: 'object', additionalProperties: false, required: ['word'], properties: { word } },
  handle: ({ body }) => ({ data: { word: body.first.word } })
}
`
}

/** The library with schemas that have definitions: of a corpus, of a reply of typebox, of a body. */
function withDefinitions(folder: string, entries: string): string {
  const root = libraryIn(folder)
  const files = {
    'corpora/shelves/corpus.yaml':
      'title: Shelves\nkey: id\nlicense: CC0-1.0\nsource: Our own list.\norder: [id]\nroles: { title: id }\n',
    'corpora/shelves/schema.yaml': shelves,
    'corpora/shelves/entries.yaml': entries,
    'manifests/shelves.yaml': head(
      '/api/v1/shelves',
      `kind: collection
corpus: shelves
filters: [level, { name: any, field: levels, operation: in }]
formats: [json, html, csv]
list: shelves
examples:
  - title: Some members of the ground floor
    query: { level: ground, fields: root }
    expect: { shows: { /data/shelves/0/root/name: oak } }
  - title: A floor that there is not
    query: { level: cellar }
    expect: { status: 400, shows: { /error/code: INVALID_INPUT } }
`
    ),
    'manifests/shelf.yaml': head(
      '/api/v1/shelves/{id}',
      `kind: entry
corpus: shelves
key: id
examples:
  - title: The first
    params: { id: a }
    expect: { shows: { /data/entry/root/children/0/name: ash } }
`
    ),
    'manifests/tree.yaml': head(
      '/api/v1/tree',
      `kind: handler
examples:
  - title: Labels only
    query: { fields: label }
    expect: { shows: { /data/trees/0/label: root, /data/best/size: 1 } }
`
    ),
    'manifests/grown.post.yaml': head(
      '/api/v1/grown',
      `kind: handler
method: POST
examples:
  - title: A twig with a twig
    body: { first: { word: a, twigs: [{ word: b }] } }
    expect: { shows: { /data/word: a } }
  - title: A twig without a word in it
    body: { first: { word: a, twigs: [{}] } }
    expect: { status: 400, shows: { /error/code: INVALID_INPUT } }
`
    ),
    ...Object.fromEntries(Object.entries(handlers).map(([name, text]) => [`surfaces/handlers/${name}`, text]))
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

const entries = `
- { id: a, level: ground, levels: [first], root: { name: oak, children: [{ name: ash, branch: river-street }] }, part_of: null }
- { id: b, level: first, root: { name: elm }, part_of: { id: c, level: first, root: { name: fir }, part_of: null } }
`

type Document = Readonly<{
  components: Readonly<{ schemas: Readonly<Record<string, JsonObject>> }>
  paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
}>

t.test('schemas with definitions, also recursive ones, are checked, tested and published', async t => {
  const root = withDefinitions(join(t.testdir(), 'library'), entries)
  t.match(await pantry(['validate', '--examples', '--root', root]), { code: 0, stdout: '' })
  const tested = await pantry(['test', '--root', root])
  t.notMatch(tested.stdout, /broken/)
  t.equal(tested.code, 0, tested.stderr)

  const { stdout } = await pantry(['get', '/api/openapi.json', '--root', root])
  const document = JSON.parse(stdout) as Document & JsonObject
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  t.ok(valid, 'OpenAPI is valid', { errors })
  t.doesNotThrow(() => validator.resolveRefs())

  const { schemas } = document.components
  const byMember = (member: string): [string, JsonObject] | undefined =>
    Object.entries(schemas).find(([name, { properties }]) => {
      const items = (properties as Record<string, JsonObject> | undefined)?.[member]?.items as JsonObject | undefined
      return items?.$ref === `#/components/schemas/${name}`
    })
  t.match(byMember('twigs')?.[1].properties, { word: { type: 'string', maxLength: 20 } }, 'a body refers to itself')
  const trees = Object.entries(schemas).filter(([name]) => /^(?:Node\d?|Self)$/.test(name))
  t.match(
    trees.map(([, { properties }]) => Object.keys(properties as object).join()).sort(),
    ['id,level,levels,root,part_of', 'label,size,children', 'name,branch,children'].sort(),
    'a corpus and a reply of typebox have their own components, each once'
  )
  for (const [name, { properties }] of trees.filter(([, { properties }]) => 'children' in (properties as object)))
    t.match((properties as JsonObject).children, { items: { $ref: `#/components/schemas/${name}` } })
  const levels = document.paths['/api/v1/shelves']?.get?.parameters as JsonObject[]
  t.match(
    levels.find(({ name }) => name === 'level'),
    { schema: { enum: ['ground', 'first'] } },
    'a filter has the words of its field'
  )

  const types = clientFiles(document, { name: 'c', version: '1.0.0', license: 'MIT', engines: { node: '>=20' } })
  t.match(
    Object.values(types).join('\n'),
    /children: Schemas\["Node\d?"\]\[\]/,
    'the types of the client are recursive'
  )
})

t.test('what does not fit within a recursive schema is found, also a key of another corpus', async t => {
  const wrong = withDefinitions(
    join(t.testdir(), 'wrong'),
    '- { id: a, level: ground, root: { name: oak, children: [{ name: 1 }] } }\n'
  )
  t.match(await pantry(['validate', '--root', wrong]), {
    code: 1,
    stdout: /entries\.yaml:1:[^]*C201[^]*\/root\/children\/0\/name|C201/
  })
  const lost = withDefinitions(
    join(t.testdir(), 'lost'),
    '- { id: a, level: ground, root: { name: oak, children: [{ name: ash, branch: nowhere }] } }\n'
  )
  t.match(await pantry(['validate', '--root', lost]), { code: 1, stdout: /nowhere/ })
})
