import t from 'tap'
import { anonymous } from '../../../../core/access/access.ts'
import type { JsonObject } from '../../../../core/canonical/json.ts'
import { parametersOf } from '../../../../core/discovery/parameters.ts'
import type { Ask } from '../../../../core/handler/handler.ts'
import { callTool, readArgument } from '../../../../core/kinds/mcp/call.ts'
import { english } from '../../../../core/vocabulary/language.ts'
import { registryOf } from '../../../support/registry.ts'

const { registry } = await registryOf()

/** What a call of the tool of a surface asks. */
async function asked(id: string, args: JsonObject): Promise<Parameters<Ask>> {
  const surface = registry.byId.get(id)!
  let sent: Parameters<Ask> | undefined
  const ask: Ask = (...given) => {
    sent = given
    return Promise.resolve(undefined)
  }
  await callTool({ name: id, description: '', surface, parameters: parametersOf(surface) }, args, {
    caller: anonymous,
    ask,
    language: english
  })
  return sent!
}

t.test(
  'a surface with several methods is called with the one that is named, else by whether a body is given',
  async t => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      t.strictSame(await asked('meta/echo', { method }), ['/api/v1/echo', { method }])
    t.strictSame(await asked('meta/echo', { method: 'GET' }), ['/api/v1/echo'])
    t.strictSame(await asked('meta/echo', {}), ['/api/v1/echo'])
    t.strictSame(await asked('carried/carried-item', { content_hash: 'a', method: 'DELETE' }), [
      '/api/v1/carry-this/a',
      { method: 'DELETE' }
    ])
    await t.rejects(asked('meta/echo', { method: 'TRACE' }), {
      code: 'INVALID_INPUT',
      details: { field: 'method', allowed: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }
    })
  }
)

t.test('a body that is sent as JSON text is read where the schema takes no text', async t => {
  const { schema } = parametersOf(registry.byId.get('cards/batch.post')!).find(one => one.in === 'body')!
  t.equal(readArgument('body', '{}', { type: 'string' }), '{}', 'a text that fits stays')
  t.equal(readArgument('body', '{}', { anyOf: [{ type: 'object' }, { type: 'string' }] }), '{}')
  t.equal(readArgument('body', '{}'), '{}', 'a schema without types may take text')
  t.strictSame(readArgument('body', '{}', { anyOf: [{ type: 'object' }, { type: 'array' }] }), {})
  t.strictSame(readArgument('body', '{"skus":["a"]}', schema), { skus: ['a'] })
  t.strictSame(readArgument('body', { skus: ['a'] }, schema), { skus: ['a'] })
  for (const text of ['', '{', '{"a":1,"a":2}', 'a, b'])
    t.throws(() => readArgument('body', text, schema), { code: 'INVALID_INPUT', details: { field: 'body' } }, text)
  t.strictSame(await asked('cards/batch.post', { body: '{"skus":["a"]}' }), [
    registry.byId.get('cards/batch.post')!.route.path,
    { method: 'POST', body: { skus: ['a'] } }
  ])
  await t.rejects(asked('cards/batch.post', { body: '{"skus":' }), {
    code: 'INVALID_INPUT',
    details: { field: 'body' }
  })
})
