import t from 'tap'
import { extendSchema, extendValue, type DocumentExtension } from '../../../core/registry/registry.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { registryOf } from '../discovery/fixture.ts'

const closed = (properties: Record<string, object>): Record<string, unknown> => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})
const whole: DocumentExtension = {
  document: 'manifest',
  after: 'a',
  members: { keeper: { type: 'string' } },
  build: ({ service }) => ({ keeper: service.name })
}
const deep: DocumentExtension = {
  document: 'manifest',
  within: ['groups', '*', '*'],
  after: 'id',
  members: { seen: { const: true } },
  build: (_registry, { id }) => ({ seen: id === 'x' })
}
const schema = closed({
  a: { type: 'integer' },
  groups: {
    type: 'object',
    patternProperties: {
      '^.*$': { type: 'array', items: closed({ id: { type: 'string' }, more: { type: 'integer' } }) }
    }
  },
  z: { type: 'null' }
})
const value = { a: 1, groups: { g: [{ id: 'x', more: 2 }] }, z: null }
const registry = registryOf([], { extensions: [whole, deep] })

t.test('a root adds members to a document where it says, in the value and in the schema', async t => {
  const extended = extendValue(registry, 'manifest', value)
  t.equal(
    JSON.stringify(extended),
    JSON.stringify({ a: 1, keeper: registry.service.name, groups: { g: [{ id: 'x', seen: true, more: 2 }] }, z: null })
  )
  const extendedSchema = extendSchema(registry.extensions, 'manifest', schema)
  const check = compileSchema(extendedSchema)
  t.same(check(extended), [])
  t.not(check(value).length, 0, 'none of the new members is optional')
  t.not(
    check(
      extendValue({ ...registry, extensions: [whole, { ...deep, build: () => ({ seen: false }) }] }, 'manifest', value)
    ).length,
    0
  )
  t.equal(JSON.stringify(extendedSchema['required']), '["a","keeper","groups","z"]')
})

t.test('other documents are left as they are', async t => {
  t.equal(extendValue(registry, 'health', value), value)
  t.equal(extendValue(registry, 'manifest', 'text'), 'text')
  t.equal(extendSchema(registry.extensions, 'health', schema), schema)
})
