import t from 'tap'
import anticipated from '../../../../surfaces/handlers/hospitality/anticipated.ts'
import { answer, corpora, takes } from '../../playful/given.ts'

type Kind = {
  match_name: string
  slot_in_welcomes_corpus: string
  greeting: string
  what_was_prepared: string[]
  start_here: { url: string }
}
const ask = async (agent: string | undefined, query: object = {}) =>
  (await answer(anticipated, { query, headers: agent === undefined ? {} : { 'user-agent': agent } })).data as {
    ua_reading: { matched_pattern: string }
    anticipated_for_you: Kind | null
    all_anticipated_kinds?: Kind[]
  }

t.test('callers are told by their User-Agent, the particular before the general', async t => {
  const agents = {
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)':
      'training-crawler',
    'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)': 'training-crawler',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)': 'search-crawler',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)': 'link-preview',
    'kube-probe/1.31': 'uptime-probe',
    'Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)': 'feed-reader',
    'Lynx/2.9.0 libwww-FM/2.14': 'text-browser',
    'curl/8.9.1': 'command-line',
    'CURL/8.9.1': 'command-line',
    'PostmanRuntime/7.40.0': 'workbench',
    'python-requests/2.32.3': 'program',
    'Python-urllib/3.12': 'program',
    'libcurl/8.9.1 r-curl/6.0 httr/1.4.7': 'notebook',
    'Scrapy/2.12.0 (+https://scrapy.org)': 'crawler-framework',
    'Go-http-client/1.1': 'program',
    'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0': 'browser'
  }
  for (const [agent, kind] of Object.entries(agents)) {
    const { ua_reading: reading, anticipated_for_you: found } = await ask(agent)
    t.equal(reading.matched_pattern, kind, agent)
    t.equal(found?.match_name, kind, agent)
    t.ok((found?.what_was_prepared.length ?? 0) > 0, agent)
  }
})

t.test('who is not listed is greeted all the same', async t => {
  for (const agent of [undefined, '', 'x', '\u00ff'.repeat(8000)])
    t.match(await ask(agent), {
      ua_reading: { matched_pattern: 'unrecognised' },
      anticipated_for_you: null,
      greeting: /\w{3}/
    })
})

t.test('the whole list comes when it is asked for, and only then', async t => {
  const { all_anticipated_kinds: all = [] } = await ask('x', { all: true })
  t.same(
    all.map(kind => kind.match_name),
    corpora.get('user-agents')?.entries.map(({ id }) => id)
  )
  t.equal((await ask('x', { all: false })).all_anticipated_kinds, undefined)
  t.equal((await ask('x')).all_anticipated_kinds, undefined)
  t.ok(takes(anticipated, { all: true }))
  t.notOk(takes(anticipated, { all: 'yes' }))
})

t.test('no token hides behind another one', async t => {
  const kinds = corpora.get('user-agents')?.entries ?? []
  for (const [index, { id, tokens }] of kinds.entries()) {
    for (const token of tokens as string[]) {
      const hidden = kinds
        .slice(0, index)
        .find(earlier => (earlier['tokens'] as string[]).some(other => token.includes(other)))
      t.equal(hidden, undefined, `${JSON.stringify(id)}: ${token}`)
    }
  }
})

t.test('the header is not given back, and no cache keeps the answer', async t => {
  const { data, headers } = await answer(anticipated, { headers: { 'user-agent': 'curl/8 canary-77' } })
  t.notMatch(JSON.stringify(data), 'canary')
  t.same(headers, { 'Cache-Control': 'no-store', Vary: 'User-Agent' })
})
