import type { RequestListener } from 'node:http'
import { setImmediate as settled } from 'node:timers/promises'
import t from 'tap'
import type { JsonObject } from '../../../../core/canonical/json.ts'
import type { Reply } from '../../../../core/handler/handler.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import surface from '../../../../surfaces/handlers/culture/partner-gallery.ts'
import { PartnerGallery, pace } from '../../../../surfaces/playful/partner-gallery.ts'
import type { Reach } from '../../../../core/http/safe-fetch.ts'
import { fetchPublic, type FetchResult } from '../../../../surfaces/sources/read-public.ts'
import type { Services } from '../../../../surfaces/services.ts'
import { otherServer } from '../../../support/other-server.ts'
import { requestOf } from '../../cards/ask.ts'
import { feedOf, partner, pieceOf } from '../../playful/partner-feed.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')
const near: Reach = {
  protocol: 'http:',
  allows: address => address === '127.0.0.1',
  resolve: () => Promise.reject(new Error('No name is known.'))
}
const json = { 'content-type': 'application/json' }

const answer = async (gallery: PartnerGallery): Promise<Reply & { data: JsonObject }> => {
  const given = (await surface.handle(requestOf(), { gallery } as Services)) as Reply & { data: JsonObject }
  t.same(compileSchema(surface.reply)(given.data), [], 'the answer has the published shape')
  return given
}

/** A gallery with a clock that can be turned, and readings that can be chosen. */
function staged(first: FetchResult) {
  const stage = { now: noon, reading: first, reads: 0 }
  const gallery = new PartnerGallery({
    partner,
    read: () => {
      stage.reads += 1
      return Promise.resolve(stage.reading)
    },
    now: () => stage.now
  })
  return { gallery, stage }
}
const feed = (change: Record<string, unknown> = {}): FetchResult => ({
  state: 'read',
  text: JSON.stringify(feedOf(change))
})

t.test('without a partner nothing is read, and the answer says so', async t => {
  const { data, asOf } = await answer(
    new PartnerGallery({ partner: undefined, read: () => Promise.reject(new Error('must not be read')) })
  )
  t.match(data, {
    status: 'no-partner',
    reason: null,
    network_kind: null,
    http_status: null,
    partner: null,
    feed: null,
    last_attempt: null,
    pieces_shown: 0
  })
  t.equal(asOf, undefined)
})

t.test('a validated feed is shown with its own date', async t => {
  const { gallery } = staged(feed())
  const { data, asOf } = await answer(gallery)
  t.equal(asOf, '2026-11-20T09:00:00.000Z')
  t.match(data, {
    status: 'available',
    reason: null,
    validated_at: '2026-11-20T12:00:00.000Z',
    pieces_shown: 2,
    pieces_withheld: 0,
    last_attempt: { outcome: 'validated', reason: null }
  })
  t.strictSame(data['feed'], feedOf())
})

t.test('a piece that is not for a directory is left out and counted', async t => {
  const shy = pieceOf('shy')
  const rights = shy['rights'] as { permissions: object }
  const { gallery } = staged({
    state: 'read',
    text: JSON.stringify(
      feedOf({}, [
        pieceOf('one'),
        { ...shy, rights: { ...rights, permissions: { ...rights.permissions, directory_display: false } } }
      ])
    )
  })
  const { data } = await answer(gallery)
  t.match(data, { pieces_shown: 1, pieces_withheld: 1, feed: { count: 2, pieces: [{ id: 'one' }] } })
  t.notMatch(JSON.stringify(data), 'shy')
})

t.test('many callers share one reading, and an hour passes before the next', async t => {
  const { gallery, stage } = staged(feed())
  await Promise.all(Array.from({ length: 50 }, () => gallery.view()))
  stage.now += pace.revalidate - 1
  await gallery.view()
  t.equal(stage.reads, 1)
  stage.now += 1
  stage.reading = feed({ as_of: '2026-11-20T12:30:00Z' })
  t.equal((await gallery.view()).shown?.asOf, '2026-11-20T09:00:00.000Z', 'who asks meanwhile does not wait')
  t.equal(stage.reads, 2)
  await settled()
  t.equal((await gallery.view()).shown?.asOf, '2026-11-20T12:30:00.000Z')
})

t.test('no failure gives a feed a new date, and none hides it for a day', async t => {
  const failures: [FetchResult, object][] = [
    [{ state: 'timeout' }, { reason: 'network', network_kind: 'timeout', http_status: null }],
    [{ state: 'failed' }, { reason: 'network', network_kind: 'request-failed', http_status: null }],
    [
      { state: 'status', status: 502 },
      { reason: 'http', network_kind: null, http_status: 502 }
    ],
    [{ state: 'unusable' }, { reason: 'invalid-contract', network_kind: null, http_status: null }],
    [feed({ schema: 'another/1', as_of: '2026-11-20T11:59:00Z' }), { reason: 'invalid-contract' }]
  ]
  for (const [reading, wanted] of failures) {
    const { gallery, stage } = staged(feed())
    await gallery.view()
    stage.reading = reading
    stage.now += pace.revalidate
    await gallery.view()
    await settled()
    const { data, asOf } = await answer(gallery)
    t.equal(asOf, '2026-11-20T09:00:00.000Z')
    t.match(data, {
      status: 'available',
      reason: null,
      validated_at: '2026-11-20T12:00:00.000Z',
      last_attempt: { at: '2026-11-20T13:00:00.000Z', outcome: 'failed', ...wanted }
    })
    stage.now = noon + pace.keep - 1
    t.match((await answer(gallery)).data, { status: 'available' })
    stage.now += 1
    t.match((await answer(gallery)).data, { status: 'unavailable', feed: null, validated_at: null, ...wanted })
    stage.reading = feed({ as_of: '2026-11-21T12:00:00Z' })
    stage.now += pace.retry
    t.match(
      (await answer(gallery)).data,
      { status: 'available', last_attempt: { outcome: 'validated' } },
      'and it comes back'
    )
  }
})

t.test('a failed reading is repeated after five minutes, not before', async t => {
  const { gallery, stage } = staged({ state: 'failed' })
  await gallery.view()
  stage.now += pace.retry - 1
  await gallery.view()
  t.equal(stage.reads, 1)
  stage.now += 1
  await gallery.view()
  t.equal(stage.reads, 2)
})

t.test('a real server that fails in each way', async t => {
  const canary = await otherServer(
    t,
    (_, response) => {
      response.writeHead(200, json).end(JSON.stringify(feedOf()))
    },
    '127.0.0.2'
  )
  const cases: [string, RequestListener, object][] = [
    [
      'keeps the contract',
      (_, response) => {
        response.writeHead(200, json).end(JSON.stringify(feedOf()))
      },
      { status: 'available' }
    ],
    ['says nothing', () => undefined, { status: 'unavailable', reason: 'network', network_kind: 'timeout' }],
    [
      'hangs up',
      request => {
        request.socket.destroy()
      },
      { status: 'unavailable', reason: 'network', network_kind: 'request-failed' }
    ],
    [
      'redirects inward',
      (_, response) => {
        response.writeHead(302, { location: canary.url }).end()
      },
      { status: 'unavailable', reason: 'http', http_status: 302 }
    ],
    [
      'is out of order',
      (_, response) => {
        response.writeHead(500).end()
      },
      { status: 'unavailable', reason: 'http', http_status: 500 }
    ],
    [
      'declares more than it sends',
      (_, response) => {
        response.writeHead(200, { ...json, 'content-length': '5000' })
        response.write('{}')
        response.destroy()
      },
      { status: 'unavailable', reason: 'network', network_kind: 'request-failed' }
    ],
    [
      'declares a gigabyte',
      (_, response) => {
        response.writeHead(200, { ...json, 'content-length': '1073741824' })
        response.write('{')
      },
      { status: 'unavailable', reason: 'invalid-contract' }
    ],
    [
      'sends JSON that is none',
      (_, response) => {
        response.writeHead(200, json).end('{"schema":')
      },
      { status: 'unavailable', reason: 'invalid-contract' }
    ],
    [
      'sends another contract',
      (_, response) => {
        response.writeHead(200, json).end('{"schema":"other/1"}')
      },
      { status: 'unavailable', reason: 'invalid-contract' }
    ],
    [
      'sends a page',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>soon</p>')
      },
      { status: 'unavailable', reason: 'invalid-contract' }
    ]
  ]
  for (const [what, listener, wanted] of cases) {
    const { url } = await otherServer(t, listener)
    const gallery = new PartnerGallery({
      partner,
      read: () =>
        fetchPublic(
          url,
          { timeoutMs: what === 'says nothing' ? 100 : 10_000, maxBytes: 1_048_576, accept: 'application/json' },
          near
        ),
      now: () => noon
    })
    t.match((await answer(gallery)).data, wanted, what)
  }
  t.strictSame(canary.seen, [], 'nobody went inside')
})
