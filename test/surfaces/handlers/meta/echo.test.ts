import t from 'tap'
import type { Reply, SurfaceRequest } from '../../../../core/handler/handler.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import type { Services } from '../../../../surfaces/services.ts'
import { echo } from '../../../../surfaces/handlers/meta.ts'
import { requestOf } from '../../cards/ask.ts'

const ask = (given: Partial<SurfaceRequest>): Reply =>
  echo.handle(requestOf({ path: '/api/v1/echo', ...given }), {} as Services) as Reply

t.test('method, path, query and harmless headers are mirrored', t => {
  const { data, headers } = ask({
    method: 'PATCH',
    rawQuery: new Map([
      ['x', ['1']],
      ['y', ['a', 'b']],
      ['__proto__', ['p']]
    ]),
    headers: { accept: '*/*', 'user-agent': 'reader/1.0', 'if-none-match': ['"a"', '"b"'] }
  })
  t.match(data, {
    method: 'PATCH',
    path: '/api/v1/echo',
    query: { x: '1', y: ['a', 'b'] },
    headers_received: { accept: '*/*', 'user-agent': 'reader/1.0', 'if-none-match': '"a", "b"' }
  })
  t.match(JSON.stringify(data), '"__proto__":"p"')
  t.match(data, {
    client_observation: { address_hash: 'feedfacefeedface' },
    server_observation: { received_at: '2026-11-20T12:00:00.000Z' }
  })
  t.same(headers, { 'Cache-Control': 'no-store' })
  t.same(compileSchema(echo.reply)(data), [])
  t.end()
})

t.test('no value of a credential or of a forwarding header is shown', t => {
  const secret = 'canary-8c1f'
  const names = [
    'authorization',
    'cookie',
    'set-cookie',
    'x-api-key',
    'proxy-authorization',
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'via',
    'cf-connecting-ip',
    'referer',
    'origin',
    'x-new-secret'
  ]
  const query = [
    'token',
    'api_key',
    'apiKey',
    'password',
    'access_token',
    'session',
    'X-Amz-Signature',
    'client_secret',
    'auth'
  ]
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
  const { headers_withheld: withheld } = ask({ headers }).data as {
    headers_withheld: { count: number; names: string[] }
  }
  t.equal(withheld.count, 500)
  t.equal(withheld.names.length, 50)
  t.end()
})

const mirrored = (bytes: Uint8Array | string, type = '', more: SurfaceRequest['headers'] = {}): object => {
  const { data } = ask({
    method: 'POST',
    headers: { ...(type === '' ? {} : { 'content-type': type }), ...more },
    bytes: Buffer.from(bytes)
  })
  t.same(compileSchema(echo.reply)(data), [])
  return (data as { body_received: object }).body_received
}

t.test('a body is mirrored: JSON as JSON, other text as text, anything else by length and hash', t => {
  t.match(mirrored(''), {
    kind: 'empty',
    value: null,
    length: 0,
    sha256: null,
    declared_length: null,
    declared_type: null
  })
  t.match(mirrored('{"a":[1,null]}', 'application/json; charset=utf-8', { 'content-length': '14' }), {
    kind: 'json',
    value: { a: [1, null] },
    length: 14,
    declared_length: 14
  })
  for (const length of ['5, 6', '-1', '1e3', '9'.repeat(40)])
    t.match(mirrored('', '', { 'content-length': length }), { declared_length: null }, `${length} is no length`)
  t.match(mirrored('"x"', 'application/problem+json'), { kind: 'json', value: 'x' })
  t.match(mirrored('[1', 'application/json'), { kind: 'text', value: '[1' }, 'what is no JSON is text all the same')
  t.match(mirrored('[1]', 'application/jsonp'), { kind: 'text', value: '[1]' })
  t.match(mirrored('caf\u00e9\n', 'text/plain'), { kind: 'text', value: 'caf\u00e9\n', length: 6 })
  t.match(mirrored(Uint8Array.of(0xff, 0x00), 'text/plain'), {
    kind: 'binary',
    value: null,
    length: 2,
    sha256: 'ea5dbf9596d187e9500f23e9a680109475341cf4e81f7e043f7d97152c10772f'
  })
  t.match(
    mirrored('{}', 'application/json', { 'content-encoding': 'gzip' }),
    { kind: 'binary', value: null },
    'what is packed is not opened'
  )
  t.end()
})

t.test('JSON is mirrored without the values of members that suggest a credential', t => {
  const body = {
    user: { password: 'canary-8c1f', name: 'Ada' },
    list: [{ accessToken: { deep: 'canary-8c1f' } }],
    'user[password]': 'canary-8c1f'
  }
  t.match(mirrored(JSON.stringify(body), 'application/json'), {
    kind: 'json',
    value: {
      user: { password: '[withheld]', name: 'Ada' },
      list: [{ accessToken: '[withheld]' }],
      'user[password]': '[withheld]'
    }
  })
  t.end()
})

t.test('a body with a text that suggests a credential is told by its length and hash, whatever its form', t => {
  const bodies: readonly (readonly [string, string])[] = [
    ['name=Ada&password=canary&x=1', 'application/x-www-form-urlencoded'],
    ['user[password]=canary', 'application/x-www-form-urlencoded'],
    ['user%5Bpassword%5D=canary', 'application/x-www-form-urlencoded'],
    ['Authorization: Bearer\r\n canary\r\nname: Ada', 'text/plain'],
    [
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\ncanary\r\n--b--',
      'multipart/form-data; boundary=b'
    ],
    ['<password>canary</password>', 'application/xml'],
    ['{"name": "Ada", "client_secret": "canary"', 'application/json'],
    [JSON.stringify({ note: 'my password is canary' }), 'application/json'],
    [JSON.stringify({ inner: JSON.stringify({ token: 'canary' }) }), 'application/json'],
    [JSON.stringify([{ name: 'password', value: 'canary' }]), 'application/json'],
    [JSON.stringify({ 'token=canary': 1 }), 'application/json'],
    [JSON.stringify('token canary'), 'application/json']
  ]
  for (const [body, type] of bodies) {
    const found = mirrored(body, type)
    t.match(found, { kind: 'withheld', value: null, length: body.length, sha256: /^[0-9a-f]{64}$/ }, body)
    t.notMatch(JSON.stringify(found), 'canary', body)
  }
  t.end()
})

t.test('a parameter whose value suggests a credential is listed without it', t => {
  t.match(ask({ rawQuery: new Map([['back', ['https://example.org/?token=canary', 'home']]]) }).data, {
    query: { back: ['[withheld]', 'home'] }
  })
  t.match(
    ask({
      rawQuery: new Map([
        ['x', ['Bearer canary']],
        ['y', ['eyJhbGciOiJIUzI1NiJ9.canary']]
      ])
    }).data,
    { query: { x: '[withheld]', y: '[withheld]' } }
  )
  t.end()
})
