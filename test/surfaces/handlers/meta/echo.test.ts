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

t.test('a body is described from its headers, unread', t => {
  const kind = (headers: SurfaceRequest['headers']) => (ask({ method: 'POST', headers, body: { canary: 1 } }).data as { body_received: object }).body_received
  t.match(kind({}), { kind: 'empty', declared_length: null, declared_type: null })
  t.match(kind({ 'content-length': '0', 'content-type': 'application/json' }), { kind: 'empty', declared_length: 0 })
  t.match(kind({ 'content-length': '7', 'content-type': 'application/json; charset=utf-8' }), { kind: 'json', declared_length: 7, declared_type: 'application/json; charset=utf-8' })
  t.match(kind({ 'content-length': '7', 'content-type': 'application/problem+json' }), { kind: 'json' })
  t.match(kind({ 'content-length': '7', 'content-type': 'application/jsonp' }), { kind: 'non-json' })
  t.match(kind({ 'transfer-encoding': 'chunked', 'content-type': 'text/plain' }), { kind: 'non-json', declared_length: null })
  t.notMatch(JSON.stringify(ask({ body: { canary: 1 } }).data), 'canary')
  t.end()
})
