import t from 'tap'
import { library, pantry, type Outcome } from '../support/command-line.ts'

const get = (...args: string[]): Promise<Outcome> => pantry(['get', '--root', library, ...args])

t.test('the body is the result, as the server would send it', async t => {
  const { code, stdout, stderr } = await get('/api/v1/library/books?genre=novel')
  t.match({ code, stderr }, { code: 0, stderr: '' })
  t.match(JSON.parse(stdout), { data: { returned: 2 }, _meta: { endpoint: '/api/v1/library/books' } })
  t.match((await get('/api/v1/library/books?format=md')).stdout, /^# /)
  t.match((await get('/api/v1/library/books', '--header', 'Accept: text/markdown')).stdout, /^# /)
})

t.test('an answer of 400 or more is a finding', async t => {
  t.match(await get('/api/v1/library/books?genre=poem'), { code: 1, stdout: /"INVALID_INPUT"/ })
  t.match(await get('/api/v1/library/bookz'), { code: 1, stdout: /"did_you_mean":\["\/api\/v1\/library\/books"/ })
  t.match(await get('/api/v1/library/books/%ff'), { code: 1, stdout: /"status":400/ })
  t.match(await get('/api/v1/library/loans'), { code: 1, stdout: /"status":503/ })
  t.match(await get('/api/v1/library/books', '--method', 'DELETE', '--include'), {
    code: 1,
    stdout: /^HTTP\/1\.1 405 Method Not Allowed\r\n[^]*Allow: GET, HEAD, OPTIONS\r\n/
  })
})

t.test('a body makes it a POST, read by the rules of the server', async t => {
  const path = '/api/v1/library/reading-note'
  t.match(JSON.parse((await get(path, '--data', '{"isbn":"9780141439518","note":" x "}')).stdout), {
    data: { echo: { note: 'x' } }
  })
  t.match(await get(path, '--data', '{"isbn":1,"isbn":2}'), { code: 1, stdout: /"status":400/ })
  t.match(await get(path, '--data', '{}', '--header', 'Content-Type: text/plain'), { code: 1, stdout: /"status":415/ })
  t.match(await get(path, '--data', JSON.stringify({ isbn: '9780141439518', note: 'x'.repeat(5000) })), {
    code: 1,
    stdout: /"status":413/
  })
})

t.test('status and headers are shown when asked for; HEAD has no body', async t => {
  const { stdout } = await get('/api/v1/library/branches', '--include')
  t.match(stdout, /^HTTP\/1\.1 200 OK\r\nContent-Type: application\/json; charset=utf-8\r\n[^]*\r\n\r\n\{/)
  const etag = /^ETag: (.*)\r$/m.exec(stdout)?.[1] ?? ''
  t.match(await get('/api/v1/library/branches', '--include', '--header', `If-None-Match: ${etag}`), {
    code: 0,
    stdout: /^HTTP\/1\.1 304 /
  })
  t.match(await get('/api/v1/library/branches', '--method', 'HEAD'), { code: 0, stdout: '' })
  t.match(await get('/api/v1/library/branches', '--method', 'HEAD', '--include'), { code: 0, stdout: /\r\n\r\n$/ })
})

t.test('a request that cannot be written is 2', async t => {
  t.match(await get('api/v1/books'), { code: 2, stderr: /must begin with `\/`/ })
  t.match(await get('/api/v1/', '--header', 'no colon'), {
    code: 2,
    stderr: /takes `Name: value`, but it is `no colon`/
  })
  t.match(await get('/api/v1/', '--method', 'BREW'), { code: 2, stderr: /Allowed choices are GET, HEAD,/ })
})
