import t from 'tap'
import { openAccounts } from '../../../surfaces/people/open.ts'
import { Inbox } from '../../../surfaces/playful/inbox.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { databaseAt } from '../../support/database.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const { url } = await bundledDatabase(t)
const database = await databaseAt(t, url)
const {
  services: { people, signIn }
} = openAccounts(database, 'http://127.0.0.1:8080')
const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))

type Answer = Readonly<{ data: Record<string, unknown> & { id: string }; error: { details: { field: string } } }>
const post = async (
  path: string,
  body: unknown,
  headers: Record<string, string> = {}
): Promise<Answer & { status: number }> => {
  const response = await get(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers }
  })
  return { status: response.status, ...((await response.json()) as Answer) }
}
const kept = async (): Promise<number> => Number((await database.knex('feedback_reports').count())[0]?.['count'])
const secret = 'my-own-words-49152'
const report = { kind: 'contract-drift', endpoint: '/api/v1/haiku', observation: `  ${secret} ` }

t.test('nothing is kept without consent, or of a report that is not whole', async t => {
  t.equal((await post('/api/v1/feedback', report)).status, 200)
  t.match(await post('/api/v1/feedback/kept', { report, consent: { keep: false } }), {
    status: 400,
    error: { details: { field: 'consent.keep' } }
  })
  t.match(await post('/api/v1/feedback/kept', { report }), { status: 400 })
  t.match(
    await post('/api/v1/feedback/kept', {
      report: { kind: 'guide-feedback', observation: 'x' },
      consent: { keep: true }
    }),
    { status: 400, error: { details: { field: 'report.guide_slug' } } }
  )
  t.equal(await kept(), 0)
})

t.test('nobody makes the record of acts grow by keeping a report and taking it back', async t => {
  const acts = async (): Promise<number> => Number((await database.knex('account_acts').count())[0]?.['count'])
  const before = await acts()
  for (let times = 0; times < 3; times++) {
    const {
      data: { id }
    } = await post('/api/v1/feedback/kept', { report, consent: { keep: true } })
    t.equal((await post('/api/v1/feedback/withdrawn', { id })).status, 200)
  }
  t.same([await kept(), await acts()], [0, before])
})

t.test(
  'a report is read and answered by an admin; the reply is public where its sender allowed it, and both go when it is taken back',
  async t => {
    const [quiet, open] = [
      await post('/api/v1/feedback/kept', { report, consent: { keep: true } }),
      await post('/api/v1/feedback/kept', { report, consent: { keep: true, reply_may_be_public: true } })
    ]
    t.equal(open.status, 200)
    const admin = await people.add('reader', ['admin'])
    const session = await signIn.withCode('reader', await signIn.issueCode(admin.id))
    const headers = {
      Cookie: `pantry_session=${session?.secret ?? ''}`,
      Origin: 'http://127.0.0.1:8080',
      'Sec-Fetch-Site': 'same-origin'
    }
    const page = await (await get('/account/inbox', { headers })).text()
    t.match(page, secret)
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
    for (const {
      data: { id }
    } of [quiet, open]) {
      const sent = await get(`/account/inbox/${id}/reply`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token, reply: `Answer to ${id}` }).toString()
      })
      t.equal(sent.status, 303)
    }
    const replies = await (await get('/api/v1/feedback/replies')).text()
    t.match(JSON.parse(replies), {
      data: { replies: [{ kind: 'contract-drift', about: '/api/v1/haiku', reply: `Answer to ${open.data.id}` }] }
    })
    t.notMatch(replies, secret)
    t.notMatch(replies, quiet.data.id)
    t.equal((await post('/api/v1/feedback/withdrawn', { id: open.data.id })).status, 200)
    t.equal((await post('/api/v1/feedback/withdrawn', { id: open.data.id })).status, 404)
    t.match(await (await get('/api/v1/feedback/replies')).json(), { data: { replies: [] } })
    t.equal(await kept(), 1)
    t.notMatch(JSON.stringify(await database.knex('account_acts').select('*')), secret)
  }
)

t.test('a public reply names the surface or the guide that it is about, in no words of the report', async t => {
  const abouts = [
    [
      { kind: 'contract-drift', endpoint: '/api/v1/universal/card/op-op01-001-en?my=words' },
      '/api/v1/universal/card/{sku}'
    ],
    [{ kind: 'contract-drift', endpoint: `/api/v1/universal/card/${secret}` }, '/api/v1/universal/card/{sku}'],
    [{ kind: 'contract-drift', endpoint: '/api/v1/feedback/kept' }, '/api/v1/feedback/kept'],
    [{ kind: 'contract-drift', endpoint: `/${secret}` }, null],
    [{ kind: 'guide-feedback', guide_slug: 'first-request' }, '/api/v1/guides/first-request'],
    [{ kind: 'guide-feedback', guide_slug: 'call-me-mallory' }, null],
    [{ kind: 'general' }, null]
  ] as const
  for (const [more, about] of abouts) {
    const {
      data: { id }
    } = await post('/api/v1/feedback/kept', {
      report: { observation: 'x', ...more },
      consent: { keep: true, reply_may_be_public: true }
    })
    await new Inbox(database).reply(id, 'Thank you.', 'operator')
    const text = await (await get('/api/v1/feedback/replies')).text()
    t.match(
      JSON.parse(text),
      { data: { replies: [{ about, kind: more.kind, reply: 'Thank you.' }] } },
      JSON.stringify(more)
    )
    t.notMatch(text, secret)
    await post('/api/v1/feedback/withdrawn', { id })
  }
})

t.test('a full inbox keeps nothing more, and says when to come back', async t => {
  await database
    .knex('feedback_reports')
    .insert(Array.from({ length: 200 }, () => ({ report: '{}', reply_may_be_public: false })))
  const before = await kept()
  t.equal((await post('/api/v1/feedback/kept', { report, consent: { keep: true } })).status, 503)
  t.equal(await kept(), before)
})
