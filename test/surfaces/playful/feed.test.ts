import canonicalizeElsewhere from 'canonicalize'
import { createHash } from 'node:crypto'
import t from 'tap'
import { readFeed } from '../../../surfaces/playful/partner-gallery.ts'
import { feedOf, partner, pieceOf } from './partner-feed.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const read = (feed: unknown, at = now) => readFeed(JSON.stringify(feed), partner, at)
const rights = pieceOf('x')['rights'] as Record<string, unknown>
const permissions = rights['permissions'] as Record<string, unknown>

t.test('a feed that keeps the contract has its own date and a hash that can be recomputed', t => {
  const feed = read(feedOf())
  t.equal(feed?.asOf, '2026-11-20T09:00:00.000Z')
  t.strictSame(feed?.feed, feedOf())
  t.equal(
    feed?.hash,
    createHash('sha256')
      .update(canonicalizeElsewhere(feedOf()) ?? '')
      .digest('hex')
  )
  t.ok(read(feedOf({}, [])), 'an empty one too')
  t.end()
})

t.test('what a partner adds is tolerated, and not passed on', t => {
  const feed = read(
    feedOf({ image_base: 'https://img.example' }, [
      { ...pieceOf('one'), image_url: 'https://img.example/1.png', price: 3, rights: { ...rights, extra: 1 } }
    ])
  )
  t.strictSame(feed?.feed, feedOf({}, [pieceOf('one')]))
  const known = {
    cycle: 3,
    form: 'a form',
    from_state: null,
    to_state: null,
    gap: '',
    bridge: 'b',
    awakening: null,
    created: 'c',
    piece: 'p',
    artist: 'a',
    license: null
  }
  t.strictSame(
    read(feedOf({}, [pieceOf('one', known)]))?.feed,
    feedOf({}, [pieceOf('one', known)]),
    'members of the older form stay'
  )
  t.end()
})

t.test('a feed may be a little ahead of this clock, and no more', t => {
  t.ok(read(feedOf({ as_of: '2026-11-20T12:05:00Z' })))
  t.notOk(read(feedOf({ as_of: '2026-11-20T12:05:00.001Z' })))
  t.end()
})

t.test('every break of the contract is one', t => {
  for (const change of [
    { schema: 'partner-gallery.feed/2' },
    { feed: '' },
    { source: { id: 'another', name: 'x', canonical_url: 'https://gallery.example' } },
    { source: { id: 'other-archive', name: 'x', canonical_url: 'https://gallery.example' } },
    { source: { id: 'other-gallery', name: 'x', canonical_url: 'https://else.example' } },
    { source_state: 'guessed' },
    { generated_at: 'yesterday' },
    { as_of: '2026-11-20' },
    { as_of: null },
    { updated: 1 },
    { count: 3 },
    { count: 1 },
    { limit: 1 },
    { limit: -1 },
    { limit: 1001 },
    { pieces: null },
    { pieces: {} },
    { pieces: undefined }
  ])
    t.notOk(read(feedOf(change)), JSON.stringify(change))
  for (const piece of [
    pieceOf('one', { id: '' }),
    pieceOf('one', { id: 'x'.repeat(201) }),
    pieceOf('one', { source: { id: 'another' } }),
    pieceOf('one', { source: 'other-gallery' }),
    pieceOf('one', { canonical_url: 'https://gallery.example/api/art/two' }),
    pieceOf('one', { canonical_url: 'http://gallery.example/api/art/one' }),
    pieceOf('one', { canonical_url: 'https://gallery.example.evil.example/api/art/one' }),
    pieceOf('one', { content_hash: 'a'.repeat(64) }),
    pieceOf('one', { content_hash: `sha256:${'A'.repeat(64)}` }),
    pieceOf('one', { creator: null }),
    pieceOf('one', { creation: {} }),
    pieceOf('one', { rights: { ...rights, license_verified: 'no' } }),
    pieceOf('one', { cycle: 1.5 }),
    pieceOf('one', { rights: { ...rights, permissions: { ...permissions, view: false } } }),
    pieceOf('one', { rights: { ...rights, permissions: { ...permissions, directory_display: null } } }),
    pieceOf('one', { form: 'x'.repeat(2001) })
  ])
    t.notOk(read(feedOf({}, [piece])), JSON.stringify(piece).slice(0, 120))
  t.notOk(read(feedOf({}, [pieceOf('one'), pieceOf('one')])), 'one piece twice')
  t.ok(
    read(
      feedOf(
        { limit: 1000 },
        Array.from({ length: 1000 }, (_, index) => pieceOf(String(index)))
      )
    )
  )
  t.notOk(
    read(
      feedOf(
        { limit: 1000, count: 1001 },
        Array.from({ length: 1001 }, (_, index) => pieceOf(String(index)))
      )
    )
  )
  t.end()
})

t.test('text that is no feed at all is none', t => {
  for (const text of [
    '',
    'null',
    '[]',
    '1',
    '"x"',
    '{',
    '<html>',
    '{"__proto__":{}}',
    JSON.stringify(feedOf()).replace('recent', '\\ud800'),
    '['.repeat(100_000)
  ])
    t.notOk(readFeed(text, partner, now), text.slice(0, 40))
  t.end()
})
