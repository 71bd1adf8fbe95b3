import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import type { Registry } from '../../core/registry/registry.ts'
import { build, registry as madeUp } from '../core/discovery/fixture.ts'
import { registryOf } from '../support/registry.ts'

const services: readonly (readonly [string, Registry])[] = [
  ['a made-up service with every kind of surface', madeUp],
  ['the shipped service', (await registryOf()).registry]
]

for (const [name, registry] of services) {
  t.test(
    `the OpenAPI document of ${name} is valid by the published schema of OpenAPI, and every reference leads somewhere`,
    async t => {
      const document = JSON.parse(JSON.stringify(build('openapi', { registry }))) as Record<string, unknown>
      const validator = new Validator()
      const { valid, errors } = await validator.validate(structuredClone(document))
      t.ok(valid, 'valid', { errors })
      t.equal(validator.version, '3.1')
      t.doesNotThrow(() => validator.resolveRefs())
      t.notOk(
        (await new Validator().validate({ ...document, paths: { '/x': { get: { responses: { 200: {} } } } } })).valid,
        'and a response without a description would be seen'
      )
    }
  )
}

t.test('the shipped service says of no tag what it is about that nothing has', t => {
  const { service, surfaces } = services[1]![1]
  const used = new Set(surfaces.flatMap(({ tags }) => tags))
  t.same(
    Object.keys(service.tags).filter(tag => !used.has(tag)),
    []
  )
  t.end()
})

type Described = Readonly<{ name: string; in: string; description?: string }>
type Operation = Readonly<{ parameters?: readonly Described[] }>

/** What new-surfaces.test.ts adds has a tag of its own, as a first surface may have. */
const isAdded = (name: string): boolean => name === 'fresh' || name.includes('/fresh/')

t.test('the shipped service says what each tag is about and what each parameter does, in words of their own', t => {
  const [, registry] = services[1]!
  const { tags, paths } = JSON.parse(JSON.stringify(build('openapi', { registry }))) as {
    tags: readonly { name: string; description: string }[]
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  for (const { name, description } of tags.filter(({ name }) => !isAdded(name)))
    t.equal(description, registry.service.tags[name]?.meaning, `tag ${name}`)
  const parameters = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ parameters = [] }) => parameters.map(parameter => ({ path, ...parameter })))
  )
  t.ok(parameters.length > 300)
  for (const { path, name, description = '' } of parameters.filter(({ path }) => !isAdded(path)))
    t.notMatch(description, /^$|^Fills|^Query parameter/, `${name} of ${path}`)
  const { areas } = build('explorer', { registry }) as { areas: readonly { meaning: string }[] }
  t.same(
    areas.filter(({ meaning }) => meaning === ''),
    []
  )
  t.end()
})
