// test: slow.
import t from 'tap'
import { randomBelow, seedRandom } from '../../../../../surfaces/play/practice/state.ts'
import { bundledDatabase } from '../../../../support/bundled.ts'
import { markupProblem } from '../../../../support/markup.ts'
import { waysOf, type Way } from '../../../../support/read-forms.ts'
import { generationOf, serveGeneration } from '../../../../support/serve-root.ts'

type Page = Readonly<{ status: number; html: string; ways: readonly Way[] }>

const largest = 60_000

const { url } = await bundledDatabase(t)
const { get } = await serveGeneration(t, await generationOf(t, [], { databaseUrl: url }))

const pageOf = async (response: Response): Promise<Page> => {
  const html = await response.text()
  return { status: response.status, html, ways: waysOf(html) }
}

const send = async ({ action, fields }: Way): Promise<Page> =>
  pageOf(await get(action, { method: 'POST', body: new URLSearchParams(fields) }))

const way = ({ ways }: Page, label: string): Way => {
  const found = ways.find(one => one.label === label)
  if (found === undefined)
    throw new Error(`The page has no button ${label}, but ${ways.map(one => one.label).join('; ')}`)
  return found
}

const headings = ({ html }: Page): readonly string[] =>
  [...html.matchAll(/<h[123][^>]*>([^<]*)/g)].map(([, text = '']) => text)
const moves = ({ ways }: Page): readonly Way[] => ways.filter(({ fields }) => fields['move'] !== undefined)

const setup = await pageOf(await get('/play/practice'))
const dealt = async (fields: Readonly<Record<string, string>>): Promise<Page> => {
  const deal = way(setup, 'Deal the cards')
  return send({ ...deal, fields: { ...deal.fields, ...fields } })
}

t.test('a match is played to its end by the buttons that its pages show', async t => {
  for (const [index, level] of ['easy', 'normal', 'hard'].entries()) {
    let page = await dealt({ level, seed: `by forms ${index}` })
    let random = seedRandom(`forms ${index}`)
    const decisions = new Set<string>()
    for (let choices = moves(page); choices.length > 0; choices = moves(page)) {
      if (page.status !== 200) t.fail(`status ${page.status}`, { html: page.html.slice(0, 2000) })
      if (page.html.length > largest) t.fail(`a page of ${page.html.length} characters`)
      const problem = markupProblem(page.html, 'html')
      if (problem !== undefined) t.fail(problem)
      decisions.add(headings(page)[0] ?? '')
      const going = choices.filter(({ fields }) => !fields['move']?.includes('concede'))
      t.equal(choices.length - going.length, 1, 'one can always give up')
      const [at, next] = randomBelow(random, going.length)
      random = next
      page = await send(going[at]!)
    }
    t.match(headings(page)[0], /^(You|The opponent) won$/)
    t.match(page.html, `The seed of this match was <code>by forms ${index}</code>`)
    t.ok(decisions.has('Do you keep this hand?') && decisions.has('Your turn'))
    t.equal(way(page, 'Play again').fields['level'], level)
    const again = await send(way(page, 'Deal this match once more'))
    t.match(again.html, /Do you keep this hand\?/)
  }
})

t.test('a page has the hand, the table and the log of what the referee answers', async t => {
  const page = await dealt({ starter_id: 'st-01-red-luffy', goes_first: 'you', seed: 'harbour' })
  const asked = await get('/api/v1/play/practice', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ op: 'new', starter_id: 'st-01-red-luffy', goes_first: 'you', seed: 'harbour' })
  })
  const answer = (await asked.json()) as {
    game: { hand: readonly string[] }
    cards: Record<string, { name: string }>
    legal_actions: readonly { label: string; move: object }[]
    new_log: readonly { text: string }[]
  }
  for (const number of answer.game.hand)
    t.ok(
      page.html.includes(`<span class="number">${number}</span>`) &&
        page.html.includes(answer.cards[number]?.name ?? ''),
      number
    )
  for (const { text } of answer.new_log) t.ok(page.html.includes(text), text)
  t.same(
    moves(page).map(({ label, fields }) => [label, JSON.parse(fields['move'] ?? '') as object]),
    answer.legal_actions.map(({ label, move }) => [label, move])
  )
  t.match(headings(page), [
    'Do you keep this hand?',
    'What happened',
    'What you can do',
    'Your opening hand',
    'The table',
    'The opponent',
    'You',
    'Your hand'
  ])
})

t.test('page and data lead to each other, and what a form did leads nowhere', async t => {
  const links = async (response: Response): Promise<string | null> => {
    await response.arrayBuffer()
    return response.headers.get('link')
  }
  t.equal(await links(await get('/api/v1/play/practice')), '</play/practice>; rel="alternate"; type="text/html"')
  t.equal(await links(await get('/play/practice')), '</api/v1/play/practice>; rel="alternate"; type="application/json"')
  t.equal(await links(await get('/play/practice', { method: 'POST', body: new URLSearchParams({ op: 'new' }) })), null)
  t.notMatch((await dealt({})).html, /rel="alternate"|This page as data/)
})

t.test('a match that was kept as text goes on from there', async t => {
  const page = await dealt({ seed: 'kept' })
  const game = moves(page)[0]?.fields['game'] ?? ''
  t.ok(page.html.includes(`<textarea rows="4" readonly>${game}</textarea>`))
  const resume = way(setup, 'Go on with this match')
  const resumed = await send({ ...resume, fields: { ...resume.fields, game: game.replaceAll(/(.{70})/g, '$1\r\n') } })
  t.equal(resumed.status, 200)
  t.same(
    moves(resumed).map(({ label }) => label),
    moves(page).map(({ label }) => label)
  )
  t.match(headings(resumed)[0], 'Do you keep this hand?')
})

t.test('a refusal says why, and keeps what was entered', async t => {
  const noDeck = await dealt({ starter_id: 'st-99-plaid', level: 'hard', seed: '<i>harbour' })
  t.equal(noDeck.status, 400)
  t.match(noDeck.html, 'There is no deck <code>st-99-plaid</code>.')
  t.match(way(noDeck, 'Deal the cards').fields, { level: 'hard', seed: '<i>harbour', starter_id: 'st-01-red-luffy' })
  const page = await dealt({ seed: 'mistakes' })
  const [keep] = moves(page)
  const refused = await send({ ...keep!, fields: { ...keep!.fields, move: '{"type":"end_turn"}' } })
  t.equal(refused.status, 400)
  t.match(refused.html, '<code>end_turn</code> is not decided now')
  const back = await send(way(refused, 'Back to the match'))
  t.same(
    moves(back).map(({ label }) => label),
    moves(page).map(({ label }) => label)
  )
  for (const move of ['{', 'null', '[[[[', '"x"', '{"type":"attack","attacker":"<b>","target":"p2_leader"}']) {
    const wrong = await send({ ...keep!, fields: { ...keep!.fields, move } })
    t.equal(wrong.status, 400, move)
    t.notMatch(wrong.html, '<b>')
    t.equal(markupProblem(wrong.html, 'html'), undefined)
  }
})
