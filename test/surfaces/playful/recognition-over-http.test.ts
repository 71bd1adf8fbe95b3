import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const statement = {
  schema: 'answering-rhyme.statement/1',
  canonicalization: 'answering-rhyme.canonical-json/1',
  relation_key: 'a-key',
  target_revision: 'first',
  kind: 'bless',
  body: 'Well seen.',
  declared_by: { label: 'a visitor', claimed_role: 'viewer' },
  declared_at: '2026-11-20T12:00:00Z'
}

t.test('limits, types and encodings of both surfaces hold on the wire', async t => {
  const { url } = await testDatabase(t)
  const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  for (const { path, body, limit } of [
    { path: '/api/v1/culture/answering-rhymes/statements', body: JSON.stringify(statement), limit: 16_384 },
    { path: '/api/v1/identify', body: '{"actor_kind":"agent"}', limit: 65_536 }
  ]) {
    const post = async (content: string | Buffer<ArrayBuffer>, type = 'application/json') => {
      const response = await get(path, { method: 'POST', body: content, headers: { 'content-type': type } })
      t.equal(response.headers.get('cache-control'), 'no-store', `${path} ${response.status}`)
      const { _meta: meta } = (await response.json()) as { _meta: { license: string } }
      t.equal(meta.license, 'NOASSERTION')
      return response.status
    }
    t.equal(await post(body.padEnd(limit)), 200, 'as large as may be')
    t.equal(await post(body.padEnd(limit + 1)), 413, 'one byte more')
    t.equal(await post(body, 'application/json; charset="UTF-8"'), 200)
    for (const type of ['text/plain', 'application/json; charset=latin1', 'application/ld+json'])
      t.equal(await post(body, type), 415, type)
    t.equal(await post(Buffer.from([...Buffer.from(body.slice(0, -1)), 0xff, 0x7d])), 400, 'no UTF-8')
    t.equal(await post(`\ufeff${body}`), 400, 'a byte order mark')
    t.equal(await post(body.replace('{', '{"context":"\\ud800",')), 400, 'half a character')
    t.equal(await post(body.replace('{', '{"context":1,"context":1,')), 400, 'a name twice')
    for (const other of ['', '[]', 'null', '"x"', `${body}${body}`]) t.equal(await post(other), 400, other.slice(0, 20))
  }
})
