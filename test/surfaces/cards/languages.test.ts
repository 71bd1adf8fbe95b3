import t from 'tap'
import { acceptedLanguages, nameOf } from '../../../surfaces/cards/languages.ts'
import { zoro } from './facts.ts'

const header: readonly (readonly [string | readonly string[] | undefined, readonly string[]])[] = [
  [undefined, []],
  ['', []],
  ['*', []],
  ['fr', ['fr']],
  ['en-GB,en;q=0.9', ['en-gb', 'en']],
  ['en;q=0.1, ja;q=0.9, fr', ['fr', 'ja', 'en']],
  ['de, fr', ['de', 'fr']],
  ['de;q=0, fr;q=0.000, it;q=0.001', ['it']],
  ['fr;q=1.000, en;q=1.1, ja;q=2, de;q=0.1234', ['fr']],
  ['fr;q=x, ;;, en us, ja ; q=0.5', ['ja']],
  [
    ['fr;q=0.2', 'ja'],
    ['ja', 'fr']
  ],
  ['zh-Hant-TW', ['zh-hant-tw']]
]

for (const [given, expected] of header) {
  t.test(`Accept-Language ${JSON.stringify(given)}`, t => {
    t.strictSame(acceptedLanguages(given), expected)
    t.end()
  })
}

t.test('a header without end is not read to its end', t => {
  t.ok(
    acceptedLanguages(
      Array.from({ length: 5000 }, (_, index) => `a${String(index).padStart(4, '0')}`.slice(0, 1) + 'a').join(',')
    ).length <= 20
  )
  t.end()
})

const card = { ...zoro, name: 'ゾロ', name_translations: { ja: 'ゾロ', en: 'Zoro', zh: '索隆', 'pt-br': 'Zoro BR' } }

t.test('the first wanted language that is held names the card', t => {
  t.match(nameOf(card, ['en']), {
    natural_token: 'Zoro',
    resolved_lang: 'en',
    resolved_from: 'preferred',
    fallback_chain: [{ lang: 'en', available: true }]
  })
  t.match(nameOf(card, ['fr', 'en']), {
    natural_token: 'Zoro',
    resolved_from: 'preferred',
    fallback_chain: [
      { lang: 'fr', available: false },
      { lang: 'en', available: true }
    ]
  })
  t.match(nameOf(card, ['pt-br']), { natural_token: 'Zoro BR', resolved_from: 'preferred' })
  t.end()
})

t.test('a language without its region or script is the next best', t => {
  t.match(nameOf(card, ['zh-hant-tw']), {
    natural_token: '索隆',
    resolved_lang: 'zh',
    resolved_from: 'preferred_alt',
    fallback_chain: [
      { lang: 'zh-hant-tw', available: false },
      { lang: 'zh-hant', available: false },
      { lang: 'zh', available: true }
    ]
  })
  t.strictSame(
    (nameOf(card, ['en-x-private'])['fallback_chain'] as { lang: string }[]).map(({ lang }) => lang),
    ['en-x-private', 'en'],
    'a single letter goes with what follows it'
  )
  t.match(nameOf(card, ['pt']), { resolved_from: 'default' }, 'but a region is never added')
  t.end()
})

t.test('without a match the stored name is used, and the chain says what was looked for', t => {
  t.match(nameOf(card, ['fr', 'it', 'fr']), {
    natural_token: 'ゾロ',
    resolved_lang: 'ja',
    resolved_from: 'default',
    available_languages: ['en', 'ja', 'pt-br', 'zh'],
    fallback_chain: [
      { lang: 'fr', available: false },
      { lang: 'it', available: false },
      { lang: 'default', available: true }
    ]
  })
  t.match(nameOf({ ...card, name: null, name_translations: null }, ['fr']), {
    natural_token: null,
    resolved_lang: null,
    resolved_from: 'missing'
  })
  t.match(
    nameOf({ ...card, name_translations: null }, ['constructor']),
    { natural_token: 'ゾロ', resolved_from: 'default' },
    'a word of the language is no language'
  )
  t.end()
})
