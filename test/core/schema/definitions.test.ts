import t from 'tap'
import { compileSchema } from '../../../core/schema/compile.ts'
import { definitionOf, gatherDefinitions, openDefinitions } from '../../../core/schema/definitions.ts'

const node = { type: 'object', properties: { inner: { $ref: '#/$defs/node' } } }
const tree = { $ref: '#/$defs/node', $defs: { node } }

t.test('a schema without references is returned as it is', t => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  t.equal(gatherDefinitions(schema), schema)
  t.end()
})

t.test('definitions of inner schemas come to the root, equal ones once and others under a name of their own', t => {
  const other = { $ref: '#/$defs/node', $defs: { node: { type: 'string' } } }
  t.same(gatherDefinitions({ anyOf: [tree, structuredClone(tree), other] }), {
    anyOf: [{ $ref: '#/$defs/node' }, { $ref: '#/$defs/node' }, { $ref: '#/$defs/node2' }],
    $defs: { node, node2: { type: 'string' } }
  })
  t.end()
})

t.test('every way to refer to a schema of the same document leads to a definition', t => {
  const text = { type: 'string' }
  const gathered = gatherDefinitions({
    properties: {
      a: { $ref: '#' },
      b: { $ref: '#/properties/c' },
      c: text,
      d: { $ref: '#named' },
      e: { $ref: 'by-id' },
      f: { $ref: '#/definitions/a~1b%20c' },
      g: { $ref: '#/$defs/nowhere' },
      h: { $ref: 'https://example.org/schema' }
    },
    $defs: { x: { ...text, $anchor: 'named' }, y: { ...text, $id: 'by-id' } },
    definitions: { 'a/b c': text }
  })
  const { properties, $defs } = gathered as { properties: Record<string, { $ref: string }>; $defs: object }
  t.same(
    Object.entries(properties).map(([name, { $ref: ref }]) => `${name} ${ref}`),
    [
      'a #/$defs/self',
      'b #/$defs/c',
      'c undefined',
      'd #/$defs/named',
      'e #/$defs/by-id',
      'f #/$defs/c',
      'g #/$defs/nowhere',
      'h https://example.org/schema'
    ]
  )
  for (const name of ['b', 'd', 'e', 'f']) t.same(definitionOf(gathered, properties[name] ?? {}), text, name)
  t.same(Object.keys($defs).length, 4)
  t.equal(gatherDefinitions(gathered), gathered, 'and it is done once')
  t.end()
})

t.test('a pointer begins at the outermost schema that has its target, a name at the nearest', t => {
  const inner = {
    type: 'object',
    $defs: { a: { type: 'integer' }, b: { $id: 'b', type: 'integer' } },
    properties: { a: { $ref: '#/$defs/a' }, b: { $ref: 'b' } }
  }
  const whole = {
    type: 'object',
    $defs: { a: { type: 'string' }, b: { $id: 'b', type: 'string' } },
    properties: { inner }
  }
  const check = compileSchema(whole)
  t.same(check({ inner: { a: 'x', b: 1 } }), [])
  t.equal(check({ inner: { a: 1, b: 'x' } }).length, 2)
  t.end()
})

t.test('members, items and alternatives that code reads are no references, and what contains itself ends', t => {
  const opened = openDefinitions({
    type: 'object',
    properties: {
      word: { $ref: '#/$defs/word', description: 'A word.' },
      words: { type: 'array', items: { $ref: '#/$defs/word' } },
      short: { $ref: '#/$defs/word', maxLength: 3 },
      tree: { $ref: '#/$defs/node' }
    },
    $defs: { word: { type: 'string' }, node, loop: { $ref: '#/$defs/loop' } }
  })
  t.match(opened, {
    properties: {
      word: { type: 'string', description: 'A word.' },
      words: { items: { type: 'string' } },
      short: { $ref: '#/$defs/word', maxLength: 3 },
      tree: { type: 'object', properties: { inner: { $ref: '#/$defs/node' } } }
    },
    $defs: { node }
  })
  t.end()
})
