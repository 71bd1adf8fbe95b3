import t from 'tap'
import yourVibe from '../../../../surfaces/handlers/playful/your-vibe.ts'
import { languagesOf } from '../../../../surfaces/playful/your-vibe.ts'
import { answer } from '../../playful/given.ts'

type Request = {
  asked_for: { form: string }
  languages: unknown[]
  takes_compressed: boolean
  remembers_answers: boolean
  says_whom_to_write_to: boolean
  asks_for_privacy: boolean
}
const vibe = async (headers: Record<string, string>) =>
  (await answer(yourVibe, { headers })).data as {
    your_request: Request
    kind_words: string[]
    reading: { matched_pattern: string }
    anticipated_kind: string | null
  }

t.test('the form that is asked for is named', async t => {
  const cases = {
    '': 'nothing',
    '*/*': 'anything',
    'application/json': 'json',
    'application/ld+json': 'json',
    'text/html,application/xhtml+xml': 'page',
    'text/plain': 'text',
    'image/png': 'other'
  }
  for (const [accept, form] of Object.entries(cases))
    t.equal((await vibe(accept === '' ? {} : { accept })).your_request.asked_for.form, form, accept)
})

t.test('languages are in the order of their weight, bounded, and nonsense is skipped', async t => {
  t.same(languagesOf('en;q=0.5, cy, *;q=0.1'), [
    { language: 'cy', weight: 1 },
    { language: 'en', weight: 0.5 },
    { language: '*', weight: 0.1 }
  ])
  for (const nonsense of ['', ';;;', 'english please', 'en;q=2', 'en;q=', '<b>', 'x'.repeat(5000)])
    t.same(languagesOf(nonsense), [], nonsense.slice(0, 20))
  t.equal(
    languagesOf(Array.from({ length: 40 }, (_, index) => `a${String.fromCharCode(97 + (index % 26))}`).join()).length,
    10
  )
})

t.test('what is good about a request is said, and what would make it better', async t => {
  const good = await vibe({
    'user-agent': 'shelf/1.0 (mail@shelf.example)',
    'accept-encoding': 'gzip, br',
    'if-none-match': '"x"',
    'sec-gpc': '1',
    'accept-language': 'cy'
  })
  t.match(good.your_request, {
    takes_compressed: true,
    remembers_answers: true,
    says_whom_to_write_to: true,
    asks_for_privacy: true
  })
  t.equal(good.kind_words.length, 5)
  const plain = await vibe({ 'accept-encoding': 'gzip;q=0, identity', dnt: '0' })
  t.match(plain.your_request, {
    takes_compressed: false,
    remembers_answers: false,
    says_whom_to_write_to: false,
    asks_for_privacy: false
  })
  t.equal(plain.kind_words.length, 3)
})

t.test('no header is given back, and no cache may keep the answer', async t => {
  const { data, headers } = await answer(yourVibe, {
    headers: {
      'user-agent': 'curl/8 canary',
      accept: 'canary/canary',
      'accept-encoding': 'canary',
      cookie: 'canary',
      'x-forwarded-for': 'canary',
      'if-none-match': 'canary'
    }
  })
  t.notMatch(JSON.stringify(data), 'canary')
  t.notMatch(JSON.stringify(data), 'feedface')
  t.match(headers, { 'Cache-Control': 'no-store', Vary: /User-Agent/ })
  t.match(data, { reading: { matched_pattern: 'command-line' }, anticipated_kind: 'app-maker' })
})
