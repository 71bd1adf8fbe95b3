import t from 'tap'
import { compileSchema } from '../../../core/schema/compile.ts'
import { card } from '../../../surfaces/handlers/universal.ts'
import { catalogueOf } from '../cards/ask.ts'
import type { Document } from '../cards/recompute.ts'

const { ask } = await catalogueOf(t)
const sku = 'op-op01-001-ja-p1'
const read = (query: object, headers: Record<string, string> = {}) => ask(card, { params: { sku }, query, headers })
const nameOf = ({ document }: { document: Document }) => document['name'] as Document

t.test('the query goes before the header, and the header counts by weight', async t => {
  t.match(nameOf(await read({ lang: 'fr' })), {
    natural_token: 'Zoro',
    resolved_lang: 'fr',
    resolved_from: 'preferred'
  })
  t.match(nameOf(await read({ lang: 'FR' }, { 'accept-language': 'en' })), { resolved_lang: 'fr' })
  t.match(nameOf(await read({}, { 'accept-language': 'fr;q=0.5, en;q=0.8' })), { resolved_lang: 'en' })
  t.match(nameOf(await read({ lang: 'de' }, { 'accept-language': 'fr' })), {
    resolved_lang: 'fr',
    fallback_chain: [
      { lang: 'de', available: false },
      { lang: 'fr', available: true }
    ]
  })
  t.match(nameOf(await read({}, { 'accept-language': '*' })), {
    resolved_from: 'default',
    natural_token: 'ロロノア・ゾロ'
  })
})

t.test('the content hash is the same in every language, the entity tag is not', async t => {
  const answers = await Promise.all(['', 'en', 'fr', 'ja'].map(lang => read(lang === '' ? {} : { lang })))
  t.equal(new Set(answers.map(({ document }) => document['@content_hash'])).size, 1)
  t.equal(new Set(answers.map(({ reply }) => reply.mirror?.etag)).size, answers.length)
})

t.test('caches are told that the header counts, except where it cannot', async t => {
  for (const query of [{}, { density: 'normal' }, { density: 'saturated' }, { lang: 'en' }])
    t.same((await read(query)).reply.headers, { Vary: 'Accept-Language' }, JSON.stringify(query))
  t.equal((await read({ density: 'sparse' })).reply.headers, undefined)
  const [plain, named] = await Promise.all([
    read({ density: 'sparse' }),
    read({ density: 'sparse' }, { 'accept-language': 'fr' })
  ])
  t.equal(plain.text, named.text)
})

t.test(
  'a header that leads to the stored name changes nothing, and caches of a card with one name hear of none',
  async t => {
    const plain = await read({})
    for (const accepted of ['de', 'ja', 'de, ja;q=0.5', 'xx-YY', '*']) {
      const same = await read({}, { 'accept-language': accepted })
      t.equal(same.text, plain.text, accepted)
      t.equal(same.reply.mirror?.etag, plain.reply.mirror?.etag, accepted)
    }
    t.not((await read({}, { 'accept-language': 'fr' })).text, plain.text)
    const saturated = { density: 'saturated' }
    t.equal((await read(saturated, { 'accept-language': 'de' })).text, (await read(saturated)).text)
    const one = (headers: Record<string, string>, query = {}) =>
      ask(card, { params: { sku: 'op-op01-002-ja' }, query, headers })
    for (const query of [{}, saturated]) {
      const [unasked, asked] = [await one({}, query), await one({ 'accept-language': 'fr' }, query)]
      t.equal(asked.text, unasked.text)
      t.same([asked.reply.headers, unasked.reply.headers], [undefined, undefined])
    }
  }
)

t.test('a language is an ISO code or a tag', t => {
  const check = compileSchema(card.query ?? {})
  for (const lang of ['en', 'FR', 'fil', 'zh-Hans', 'pt-BR', 'zh-hant-tw']) t.same(check({ lang }), [], lang)
  for (const lang of ['', 'e', 'engl', 'en_GB', 'en-', 'en GB', '*', `en${'-abcdefgh'.repeat(4)}`])
    t.ok(check({ lang }).length > 0, lang)
  t.end()
})
