import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import type { Registry } from '../../core/registry/registry.ts'
import { build, registry as madeUp } from '../core/discovery/fixture.ts'
import { registryOf } from '../support/registry.ts'

const services: readonly (readonly [string, Registry])[] = [['a made-up service with every kind of surface', madeUp], ['the shipped service', (await registryOf()).registry]]

for (const [name, registry] of services) {
  t.test(`the OpenAPI document of ${name} is valid by the published schema of OpenAPI, and every reference leads somewhere`, async t => {
    const document = JSON.parse(JSON.stringify(build('openapi', { registry }))) as Record<string, unknown>
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    t.ok(valid, 'valid', { errors })
    t.equal(validator.version, '3.1')
    t.doesNotThrow(() => validator.resolveRefs())
    t.notOk((await new Validator().validate({ ...document, paths: { '/x': { get: { responses: { 200: {} } } } } })).valid, 'and a response without a description would be seen')
  })
}

t.test('the shipped service says what each of its tags is about, and declares none that nothing has', t => {
  const { service, surfaces } = services[1]![1]
  t.same(Object.keys(service.tags).sort(), [...new Set(surfaces.flatMap(({ tags }) => tags))].sort())
  t.end()
})

t.test('every operation of the shipped service shows an answer', t => {
  const { paths } = build('openapi', { registry: services[1]![1] }) as { paths: Record<string, Record<string, { operationId?: string, responses?: Record<string, { content?: Record<string, object> }> }>> }
  const operations = Object.values(paths).flatMap(item => Object.values(item)).filter(({ responses }) => responses !== undefined)
  const shows = (content: Record<string, object> = {}): boolean => Object.values(content).some(form => 'examples' in form || 'example' in form)
  t.same(operations.filter(({ responses }) => !Object.values(responses ?? {}).some(({ content }) => shows(content))).map(({ operationId }) => operationId), [], 'run `pantry test --record`')
  t.ok(operations.length > 0)
  t.end()
})
