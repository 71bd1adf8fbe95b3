import t from 'tap'
import type { Reply, SurfaceRequest } from '../../../../core/handler/handler.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import type { Services } from '../../../../surfaces/services.ts'
import echo from '../../../../surfaces/handlers/meta/echo.ts'
import { requestOf } from '../../catalogue/ask.ts'

const ask = (given: Partial<SurfaceRequest>): Reply =>
  echo.handle(requestOf({ path: '/api/v1/echo', ...given }), {} as Services) as Reply

t.test('method, path, query and harmless headers are mirrored', t => {
  const { data, headers } = ask({
    method: 'PATCH',
    rawQuery: new Map([['x', ['1']], ['y', ['a', 'b']], ['__proto__', ['p']]]),
    headers: { accept: '*/*', 'user-agent': 'reader/1.0', 'if-none-match': ['"a"', '"b"'] }
  })
  t.match(data, { method: 'PATCH', path: '/api/v1/echo', query: { x: '1', y: ['a', 'b'] }, headers_received: { accept: '*/*', 'user-agent': 'reader/1.0', 'if-none-match': '"a", "b"' } })
  t.match(JSON.stringify(data), '"__proto__":"p"')
  t.match(data, { client_observation: { address_hash: 'feedfacefeedface' }, server_observation: { received_at: '2026-11-20T12:00:00.000Z' } })
  t.same(headers, { 'Cache-Control': 'no-store' })
  t.same(compileSchema(echo.reply)(data), [])
  t.end()
})

t.test('no value of a credential or of a forwarding header is shown', t => {
  const secret = 'canary-8c1f'
  const names = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'proxy-authorization', 'x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip', 'referer', 'origin', 'x-new-secret']
  const query = ['token', 'api_key', 'apiKey', 'password', 'access_token', 'session', 'X-Amz-Signature', 'client_secret', 'auth']
  const { data } = ask({
    headers: Object.fromEntries(names.map(name => [name, secret])),
    rawQuery: new Map(query.map(name => [name, [secret, secret]]))
  })
  t.notMatch(JSON.stringify(data), secret)
  t.match(data, { headers_received: {}, headers_withheld: { count: names.length, names: [...names].sort() } })
  t.same(compileSchema(echo.reply)(data), [])
  t.end()
})

t.test('a flood of header names is counted, and listed up to a bound', t => {
  const headers = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'v']))
  const { headers_withheld: withheld } = ask({ headers }).data as { headers_withheld: { count: number, names: string[] } }
  t.equal(withheld.count, 500)
  t.equal(withheld.names.length, 50)
  t.end()
})

const mirrored = (bytes: Uint8Array | string, type = '', more: SurfaceRequest['headers'] = {}): object => {
  const { data } = ask({ method: 'POST', headers: { ...type === '' ? {} : { 'content-type': type }, ...more }, bytes: Buffer.from(bytes) })
  t.same(compileSchema(echo.reply)(data), [])
  return (data as { body_received: object }).body_received
}

t.test('a body is mirrored: JSON as JSON, other text as text, anything else by length and hash', t => {
  t.match(mirrored(''), { kind: 'empty', value: null, length: 0, sha256: null, declared_length: null, declared_type: null })
  t.match(mirrored('{"a":[1,null]}', 'application/json; charset=utf-8', { 'content-length': '14' }), { kind: 'json', value: { a: [1, null] }, length: 14, declared_length: 14 })
  t.match(mirrored('"x"', 'application/problem+json'), { kind: 'json', value: 'x' })
  t.match(mirrored('[1', 'application/json'), { kind: 'text', value: '[1' }, 'what is no JSON is text all the same')
  t.match(mirrored('[1]', 'application/jsonp'), { kind: 'text', value: '[1]' })
  t.match(mirrored('caf\u00e9\n', 'text/plain'), { kind: 'text', value: 'caf\u00e9\n', length: 6 })
  t.match(mirrored(Uint8Array.of(0xff, 0x00), 'text/plain'), { kind: 'binary', value: null, length: 2, sha256: 'ea5dbf9596d187e9500f23e9a680109475341cf4e81f7e043f7d97152c10772f' })
  t.match(mirrored('{}', 'application/json', { 'content-encoding': 'gzip' }), { kind: 'binary', value: null }, 'what is packed is not opened')
  t.end()
})

t.test('no value of a credential in a body is shown', t => {
  const secret = 'canary-8c1f'
  const bodies: readonly (readonly [string, string])[] = [
    [JSON.stringify({ user: { password: secret, name: 'Ada' }, list: [{ accessToken: { deep: secret } }] }), 'application/json'],
    [`name=Ada&password=${secret}&x=1`, 'application/x-www-form-urlencoded'],
    [`Authorization: Bearer ${secret}\nname: Ada`, 'text/plain'],
    [`{"name": "Ada", "client_secret": "${secret}"`, 'application/json'],
    [`api_key = ${secret} name=Ada`, '']
  ]
  for (const [body, type] of bodies) {
    const found = JSON.stringify(mirrored(body, type))
    t.notMatch(found, secret, body)
    t.match(found, 'Ada', body)
  }
  t.end()
})
