import { join } from 'node:path'
import t from 'tap'
import type { JsonValue } from '../../../../core/canonical/json.ts'
import type { Attribute } from '../../../../surfaces/cards/attributes.ts'
import { attributeChecker, typedValue } from '../../../../surfaces/import/reading/kept-values.ts'
import type { Mapped, Rejected } from '../../../../surfaces/import/reading/map-row.ts'
import { readMembers } from '../../../../surfaces/import/reading/shapes.ts'
import { readSource } from '../../../../surfaces/import/reading/read-source.ts'
import { mappedRows } from '../../../support/mapped-rows.ts'
import type { Expression, SourceReader } from '../../../../surfaces/import/source.ts'
import { dataFolder, lantern } from '../lantern.ts'

const reader = lantern.reader!

async function read(changed: Partial<SourceReader> = {}): Promise<(Mapped | Rejected)[]> {
  const rows: (Mapped | Rejected)[] = []
  for await (const mapped of mappedRows({ ...reader, ...changed }, dataFolder)) rows.push(mapped)
  return rows
}

t.test('a row comes out in our words', async t => {
  const [first] = await read()
  t.same(first, {
    nativeId: 'en:AB1-001',
    sku: 'lan-ab1-001-en',
    row: {
      game: 'lan',
      set_code: 'AB1',
      card_number: 'AB1-001',
      lang: 'en',
      variant: '',
      name: 'First Lantern',
      name_translations: { en: 'First Lantern' },
      rarity: 'R',
      illustrators: ['A. Painter'],
      printed_in: null,
      faces: null,
      attributes: { category: 'spell', cost: 3, types: ['GOLD'], block: 'none' },
      set: {
        name: 'Alpha Beacon',
        name_translations: { en: 'Alpha Beacon', ja: '灯台' },
        released_on: '2024-02-29',
        released_note: null,
        declared_total: 2
      }
    }
  })
})

t.test('a value that its attribute does not have is left out of its row, with the reason', async t => {
  const readWith = async (attributes: readonly Omit<Attribute, 'meaning'>[]): Promise<readonly string[]> => {
    const rows: (Mapped | Rejected)[] = []
    for await (const mapped of mappedRows(reader, dataFolder, {
      rules: { attributes: attributes.map(one => ({ meaning: 'Of a lantern.', ...one })) }
    }))
      rows.push(mapped)
    return rows.map(mapped => ('reason' in mapped ? mapped.reason : (mapped.odd?.[0]?.reason ?? 'kept')))
  }
  const [all] = [await readWith([])]
  t.same([...new Set(all)], ['kept'])
  t.same(
    await readWith([
      { name: 'category', types: ['text'], values: ['site', 'spell'], games: ['lan'] },
      { name: 'cost', types: ['integer'] },
      { name: 'types', types: ['list'], values: ['GOLD'] }
    ]),
    all,
    'as declared'
  )
  for (const [attribute, reason] of [
    [{ name: 'category', types: ['integer', 'list'] }, '`attributes.category` must be of the type integer or list.'],
    [
      { name: 'category', types: ['text'], values: ['spell', 'hero'] },
      '`attributes.category` must be one of spell, hero.'
    ],
    [{ name: 'category', types: ['text'], games: ['op'] }, '`attributes.category` is no attribute of `lan`.'],
    [{ name: 'cost', types: ['text'] }, '`attributes.cost` must be of the type text.'],
    [{ name: 'cost', types: ['integer'], values: [0, 1] }, '`attributes.cost` must be one of 0, 1.'],
    [{ name: 'types', types: ['list'], values: ['SILVER'] }, '`attributes.types` must be one of SILVER.']
  ] as const)
    t.ok((await readWith([attribute])).includes(reason), reason)
})

t.test('an attribute that no card has is refused whatever it holds', t => {
  const power = { name: 'power', types: ['integer' as const], meaning: 'Strength.' }
  t.equal(attributeChecker(power)(null, 'op'), undefined)
  t.equal(attributeChecker(power)(3, 'op'), undefined)
  for (const wrong of [true, 1.5, '3', [], {}])
    t.equal(
      attributeChecker(power)(wrong, 'op'),
      '`attributes.power` must be of the type integer.',
      JSON.stringify(wrong)
    )
  t.end()
})

t.test('a value takes the declared type where nothing is lost', t => {
  const attribute = (...types: Attribute['types']): Attribute => ({ name: 'power', types, meaning: 'Strength.' })
  t.same(
    ['3', '0', '-12', 'X', '03', '+3', '1.5', ' 3', '1'.repeat(16)].map(text =>
      typedValue(text, attribute('text', 'integer'))
    ),
    [3, 0, -12, 'X', '03', '+3', '1.5', ' 3', '1'.repeat(16)]
  )
  t.equal(typedValue('3', attribute('text')), '3')
  t.same(typedValue(['a', 'b', 'a'], attribute('list')), ['a', 'b'])
  t.end()
})

t.test('all rows of all files come out, in file order, with a SKU of their own', async t => {
  t.same(
    (await read()).map(row => ('sku' in row ? row.sku : row)),
    ['lan-ab1-001-en', 'lan-ab1-001-en-p1', 'lan-ab1-002-en', 'lan-p-1~2f2-en', 'lan-ab1-001-ja']
  )
})

t.test('a name is one of its translations, under the language that is declared for it', async t => {
  const named = async (map: Partial<SourceReader['map']>): Promise<unknown> =>
    ((await read({ map: { ...reader.map, ...map } })).at(-1) as Mapped).row
  t.match(
    await named({}),
    { lang: 'ja', name: '最初の灯', name_translations: { ja: '最初の灯' } },
    'that of the printing, where nothing is declared'
  )
  const declared = { name: { const: 'First Lantern' }, name_lang: { const: 'EN' } }
  t.same(((await named(declared)) as Mapped['row']).name_translations, { en: 'First Lantern' })
  const more = (await named({
    ...declared,
    name_translations: { languages: { JA: 'card.name', en: { const: 'Other' } } }
  })) as Mapped['row']
  t.same(more.name_translations, { ja: '最初の灯', en: 'First Lantern' })
  t.match((await read({ map: { ...reader.map, name_lang: { const: 'no language' } } }))[0], {
    reason: /`name_lang` must be a language tag/
  })
})

t.test('what is not known is null, and a date that is none becomes a note', async t => {
  const odd = (await read())[3] as Mapped
  t.match(odd.row, { rarity: null, illustrators: null, attributes: { block: 'none' } })
  t.equal(odd.row.attributes?.['category'], undefined)
  t.equal(odd.row.attributes?.['cost'], undefined, 'X is no number')
  t.match(odd.row.set, { name: 'Promos', released_on: null, released_note: '0000-00-00', declared_total: null })
})

t.test('nothing but mapped fields leaves the reader', async t => {
  const everything = JSON.stringify(await read())
  t.notMatch(everything, /CANARY/)
  t.notMatch(everything, /https?:/)
})

t.test(
  'a field that holds what is never kept ends the reading, with the place in the declaration and every reason; a whole object is nothing',
  async t => {
    const map = {
      ...reader.map,
      rarity: { first: ['card.image_url', 'card.image', 'card.price'] },
      name: 'card.prices',
      attributes: { category: { const: '<b>Event</b>' } }
    }
    t.match(await read({ map }).catch((error: unknown) => error), {
      problems: [
        {
          pointer: ['reader', 'map', 'rarity'],
          message: /^`rarity` holds a picture in 2 of [0-9]+ rows, first `[^`]+` in `en:AB1-001`\.$/
        },
        {
          pointer: ['reader', 'map', 'attributes', 'category'],
          message:
            /^`attributes\.category` holds markup in 3 of [0-9]+ rows, first `<b>Event<\/b>` in `en:AB1-001_p1`\.$/
        }
      ]
    })
    t.match((await read({ map: { ...reader.map, name: 'card.prices' } }))[1], { row: { name: null } })
  }
)

t.test(
  'a row of a game or a language that the source does not declare, a bare number as a word, a number out of bounds, a text that is too long',
  async t => {
    const reasons = async (map: object, rules: object): Promise<readonly unknown[]> => {
      const rows: (Mapped | Rejected)[] = []
      for await (const mapped of mappedRows({ ...reader, map: { ...reader.map, ...map } }, dataFolder, { rules }))
        rows.push(mapped)
      return [
        ...new Set(rows.map(mapped => ('reason' in mapped ? mapped.reason : (mapped.odd?.[0]?.reason ?? 'kept'))))
      ]
    }
    t.same(await reasons({}, { games: ['op'] }), ['`game` is `lan`, which the source does not declare.'])
    t.same(await reasons({}, { games: ['lan'], languages: ['en'] }), [
      'kept',
      '`lang` is `ja`, which the source does not declare.'
    ])
    t.same(await reasons({ rarity: { const: 123456 } }, {}), ['`rarity` is a bare number.'])
    t.same(await reasons({ illustrators: { const: '123456' } }, {}), ['`illustrators` is a bare number.'])
    t.match(await reasons({ variant: { const: '123456' } }, {}), [/^`variant` is a bare number\. .*`join: /])
    t.same(await reasons({ variant: { join: [{ const: 'v' }, { const: '123456' }], with: '' } }, {}), ['kept'])
    const attributes = [
      { name: 'cost', types: ['integer', 'text'], most: 2, form: '^[0-9X]$' },
      { name: 'category', types: ['text'] },
      { name: 'types', types: ['list'], longest: 3 }
    ]
    t.same(await reasons({}, { attributes }), ['`attributes.cost` must lie between 0 and 2.', 'kept'])
    t.same(await reasons({ attributes: { cost: { const: '12X' } } }, { attributes }), [
      '`attributes.cost` must have the form that is declared for it.'
    ])
    t.same(await reasons({ attributes: { category: { const: 'x'.repeat(61) } } }, { attributes }), [
      '`attributes.category` must have at most 60 characters.'
    ])
    t.same(await reasons({ attributes: { category: { const: '512345' } } }, { attributes }), [
      '`attributes.category` must be no bare number.'
    ])
    t.same(await reasons({ attributes: { types: { const: 'GOLD', transform: ['list'] } } }, { attributes }), [
      '`attributes.types` must have at most 3 characters.'
    ])
    t.same(await reasons({ name: { const: 'x'.repeat(201) } }, {}), ['`name` is longer than 200 characters.'])
  }
)

t.test('a row without an identity is refused by name', async t => {
  const refused = async (map: Partial<SourceReader['map']>): Promise<unknown> =>
    (await read({ map: { ...reader.map, ...map } }))[0]
  t.same(await refused({ native_id: 'card.nothing' }), { nativeId: '', reason: '`native_id` is missing.' })
  t.match(await refused({ set_code: 'card.nothing' }), { reason: '`set_code` is missing.' })
  t.match(await refused({ lang: 'card.kind' }), { reason: /`lang` must be a language tag/ })
  t.match(await refused({ sku_number: { const: 'x'.repeat(200) } }), { reason: /at most 160 characters/ })
  t.match(await refused({ variant: { const: 'a\u0001' } }), { reason: '`variant` holds a character that is no text.' })
})

t.test('a file that is missing or no JSON ends the reading with an error', async t => {
  await t.rejects(read({ files: [{ shape: 'json', path: 'missing.json' }] }), {
    name: 'Error',
    message: 'There is no file `missing.json` in the folder of the source.'
  })
  await t.rejects(
    read({ files: [{ shape: 'json', path: '../lantern.ts' }] }),
    { problems: [{ pointer: ['reader', 'files', 0] }], message: /lantern\.ts is not JSON \(line 1, column 1\)\.$/ },
    'and quotes nothing of it'
  )
})

t.test('a byte order mark before JSON is no part of it', async t => {
  const folder = t.testdir({ 'cards.json': `\ufeff${JSON.stringify([{ id: 1 }])}` })
  const rows: JsonValue[] = []
  for await (const { members } of readMembers({
    path: join(folder, 'cards.json'),
    declared: { shape: 'json', path: 'cards.json' },
    file: {}
  }))
    rows.push(...members.map(({ value }) => value))
  t.same(rows, [{ id: 1 }])
})

t.test('a module gives its export, and what has been read never shrinks', async t => {
  let last = 0
  for await (const { fraction } of readSource(reader, dataFolder)) {
    t.ok(fraction >= last)
    last = fraction
  }
  t.equal(Math.round(last * 1e9) / 1e9, 1)
  const rows = await read({
    files: [{ shape: 'module', path: 'cards.cjs', export: 'cards', set: { lang: 'en' } }],
    rows: [{ as: 'card' }]
  })
  t.match(rows, [{ sku: 'lan-ab1-007-en' }])
})

t.test(
  'XML with a language in the path of each file, printings of one row or of none, and expressions with names',
  async t => {
    const folder = t.testdir({
      'en.xml':
        '<cards set="AB1"><card no="7"><name>Tide &amp; Ebb</name><print id="a"/><print id="b"/></card><card no="8"><name>Wick</name><print id="c"/></card></cards>',
      'ja.xml': '<cards set="AB1"><card no="7"><name>潮</name></card></cards>',
      'index.xml': '<index/>'
    })
    const id: Expression = { join: ['file.lang', 'card.no', 'print.id'], with: '/' }
    const rows = []
    for await (const row of mappedRows(
      {
        files: [{ shape: 'xml', path: '{lang}.xml', except: ['index.xml'], at: 'cards.card', lists: ['print'] }],
        rows: [{ as: 'card' }, { as: 'print', each: 'card.print', otherwise: 'card' }],
        expressions: { id, variant: { path: 'print.id', when: { value: 'card.no', is: ['7'] } } },
        map: {
          native_id: { use: 'id' },
          game: { const: 'lan' },
          set_code: { const: 'AB1' },
          number: { path: 'card.no', pad: 3 },
          name: 'card.name',
          lang: 'file.lang',
          variant: { use: 'variant' }
        }
      },
      folder
    ))
      rows.push(row)
    t.same(
      rows.map(row => ('sku' in row ? [row.nativeId, row.sku, row.row.name] : row)),
      [
        ['en/7/a', 'lan-ab1-007-en-a', 'Tide & Ebb'],
        ['en/7/b', 'lan-ab1-007-en-b', 'Tide & Ebb'],
        ['en/8/c', 'lan-ab1-008-en', 'Wick'],
        ['ja/7', 'lan-ab1-007-ja', '潮']
      ]
    )
  }
)
