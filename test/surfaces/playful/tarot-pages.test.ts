import { readFileSync } from 'node:fs'
import { renderToString } from 'preact-render-to-string'
import t from 'tap'
import { parse } from 'yaml'
import { emblems } from '../../../surfaces/playful/tarot-emblems.ts'
import { roman, Trump } from '../../../surfaces/playful/tarot.tsx'
import { markupProblem } from '../../support/markup.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

type Card = Readonly<{ number: number; slug: string; name: string; upright: string; reversed: string }>
const pack = parse(readFileSync('corpora/tarot/entries.yaml', 'utf8')) as readonly Card[]

t.test('every trump has a drawing of its own, within its frame', t => {
  t.same(Object.keys(emblems).sort(), pack.map(({ slug }) => slug).sort())
  const seen = new Set<string>()
  for (const card of pack) {
    const drawn = renderToString(Trump({ card }))
    t.equal(markupProblem(drawn, 'xml'), undefined, card.slug)
    t.notMatch(drawn, /NaN|undefined|style=/)
    const { soft = '', line = '', gold = '' } = emblems[card.slug] ?? {}
    seen.add(soft + line + gold)
    // Where a part of a path begins: M is always absolute.
    for (const [, x = '', y = ''] of `${soft}${line}${gold}`.matchAll(/M(-?[\d.]+) (-?[\d.]+)/g)) {
      if (Math.abs(Number(x)) > 66 || Math.abs(Number(y)) > 92) t.fail(`${card.slug} leaves its frame at ${x} ${y}`)
    }
  }
  t.equal(seen.size, 22)
  t.notSame(renderToString(Trump({ card: pack[3]!, isReversed: true })), renderToString(Trump({ card: pack[3]! })))
  t.end()
})

t.test('numerals are those of packs', t => {
  t.same([1, 4, 9, 14, 19, 21].map(roman), ['I', 'IV', 'IX', 'XIV', 'XIX', 'XXI'])
  t.end()
})

t.test('the pages show what the surfaces draw', async t => {
  const { get } = await serveGeneration(t, await generationOf(t, []))
  const text = async (path: string): Promise<string> => {
    const html = await (await get(path)).text()
    t.equal(markupProblem(html, 'html'), undefined, path)
    return html
  }
  const seed = '<b>shall & I "sleeve" it</b>'
  const query = new URLSearchParams({ seed, spread: 'cross' }).toString()
  const { data } = (await (await get(`/api/v1/tarot/draw?${query}`)).json()) as {
    data: { draws: readonly { orientation: string; reading: string; card: Card }[] }
  }
  const page = await text(`/tarot?${query}`)
  t.notMatch(page, '<b>')
  t.equal(data.draws.length, 5)
  let at = 0
  for (const { orientation, reading, card } of data.draws) {
    at = page.indexOf(`<a href="/tarot/${card.slug}">${card.name}</a>, ${orientation}`, at)
    t.ok(at > 0, card.slug)
    t.ok(page.includes(reading))
  }
  t.equal(
    page.match(/rotate\(180/g)?.length ?? 0,
    data.draws.filter(({ orientation }) => orientation === 'reversed').length
  )
  t.equal((await get(`/tarot?${query}`)).headers.get('cache-control'), 'no-store')
  t.match(await text('/tarot?seed=&spread='), /Tarot of the day/, 'an empty form draws the card of the day')
  for (const { slug, name, upright, reversed } of [pack[0]!, pack[9]!, pack[21]!]) {
    const one = await text(`/tarot/${slug}`)
    for (const shown of [`<h1>${name}</h1>`, upright, reversed]) t.ok(one.includes(shown), shown)
  }
  t.match(await text('/tarot/the-fool'), /rel="next"/)
  t.notMatch(await text('/tarot/the-fool'), /rel="prev"/)
})
