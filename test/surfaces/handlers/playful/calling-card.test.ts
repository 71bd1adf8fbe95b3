import fc from 'fast-check'
import t from 'tap'
import { SurfaceError } from '../../../../core/handler/errors.ts'
import callingCard from '../../../../surfaces/handlers/playful/calling-card.ts'
import { drawCard, fitName } from '../../../../surfaces/playful/calling-card.ts'
import { anyCharacter } from '../../../support/any-character.ts'
import { elementTexts, markupProblem } from '../../../support/markup.ts'
import { answer, takes } from '../../playful/given.ts'

const hash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const card = async (query: object, time = '2026-11-20T12:00:00.000Z') =>
  (await answer(callingCard, { query, now: new Date(time) })).data as {
    svg: string
    holder: string
    hash: string
    image_url: string
  }

t.test('the same request draws the same bytes until midnight UTC', async t => {
  const { svg } = await card({ name: 'Ada' }, '2026-11-20T00:00:00.000Z')
  t.equal((await card({ name: 'Ada' }, '2026-11-20T23:59:59.999Z')).svg, svg)
  for (const other of [{ name: 'Bea' }, { name: 'Ada', night: '1' }, { name: 'Ada', content_hash: hash }])
    t.not((await card(other)).svg, svg)
  t.match((await card({ name: 'Ada' }, '2026-11-21T00:00:00.000Z')).svg, '21 November 2026')
})

t.test('any name makes a well-formed image with the name in it and nothing from outside', async () => {
  const name = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 60 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.constantFrom('<script>alert(1)</script>', '"><image href="https://a.example"/>', ']]>&amp;', '\ud800x')
  )
  await fc.assert(
    fc.asyncProperty(name, fc.boolean(), async (name, night) => {
      const { svg, holder } = await card({ name, ...(night ? { night: '1' } : {}) }).catch((error: unknown) => {
        if (error instanceof SurfaceError && error.code === 'INVALID_INPUT') return { svg: '', holder: '' }
        throw error
      })
      if (svg === '') return
      const problem = markupProblem(svg, 'xml')
      if (problem !== undefined) throw new Error(problem)
      if (!elementTexts(svg, 'title')[0]?.includes(holder)) throw new Error('the title does not name the holder')
      if (
        /<script|<image|<foreignObject|\son\w+=|url\((?!#)/i.test(svg) ||
        [...svg.matchAll(/href="([^"]*)"/g)].some(([, target = '']) => !target.startsWith('#'))
      )
        throw new Error('something from outside')
    }),
    { numRuns: 300 }
  )
})

t.test('an image can be read aloud, and every reference in it leads somewhere', async t => {
  const { svg } = await card({ name: 'Ada', content_hash: hash, night: '1' })
  t.match(svg, /^<svg [^>]*role="img" aria-labelledby="([^" ]+) ([^" ]+)"/)
  const ids = new Set([...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const [, one = '', list = ''] of svg.matchAll(/href="#([^"]+)"|aria-labelledby="([^"]+)"/g))
    for (const id of [one, ...list.split(' ')].filter(id => id !== '')) t.ok(ids.has(id), id)
  t.match(elementTexts(svg, 'desc')[0], hash)
})

t.test('the rays are the digits of the hash', async t => {
  const drawn =
    / d="([^"]*)" stroke="[^"]*" stroke-width="2.2"/.exec(
      drawCard({ name: 'A', house: 'H', hash, night: false, date: '2026-11-20' })
    )?.[1] ?? ''
  const lengths = [...drawn.matchAll(/M(-?[\d.]+) (-?[\d.]+)L(-?[\d.]+) (-?[\d.]+)/g)].map(
    ([, x = '', y = '', toX = '', toY = '']) =>
      Math.round(Math.hypot(Number(toX) - Number(x), Number(toY) - Number(y)) - 1.5)
  )
  t.same(
    lengths,
    Array.from(hash, digit => Number.parseInt(digit, 16))
  )
})

t.test('a hash is taken in both forms, and anything else is not', async t => {
  for (const given of [hash, hash.toUpperCase(), `sha256:${hash}`]) {
    t.ok(takes(callingCard, { content_hash: given }))
    t.equal((await card({ content_hash: given })).hash, hash)
  }
  for (const given of ['', hash.slice(1), `${hash}0`, `md5:${hash}`, hash.replace('e', 'g')])
    t.notOk(takes(callingCard, { content_hash: given }), given)
  for (const night of ['0', '1']) t.ok(takes(callingCard, { night }))
  t.notOk(takes(callingCard, { night: 'yes' }))
})

t.test('a name is bounded in letters, cleaned, and has a default', async t => {
  t.equal((await card({ name: 'é'.repeat(60) })).holder.length, 60)
  await t.rejects(card({ name: 'é'.repeat(61) }), { code: 'INVALID_INPUT', details: { field: 'name' } })
  t.equal((await card({ name: '👩‍👩‍👧‍👦'.repeat(4) })).holder, '👩‍👩‍👧‍👦'.repeat(4))
  t.equal((await card({ name: '  Ada \t\n \u202e Lovelace\u0000 ' })).holder, 'Ada Lovelace')
  t.equal((await card({ name: `a${'\u0301'.repeat(40)}` })).holder.length < 8, true)
  for (const empty of [{}, { name: '' }, { name: ' \u200f ' }]) t.equal((await card(empty)).holder, 'A passer-by')
  t.equal((await card({ name: 'A & B', night: '1' })).image_url, '/api/v1/calling-card?name=A+%26+B&night=1')
})

t.test('every name fits its place', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), name => {
      const { lines, widths, size } = fitName(name, 372, 47)
      return lines.length <= 2 && widths.every(width => width <= 373) && size <= 47 && size > 0
    }),
    { numRuns: 1000 }
  )
})
