import t from 'tap'
import { packageFolder } from '../../../../bin/roots.ts'
import { loadOneCorpus } from '../../../../core/corpus/load.ts'
import { checkSource } from '../../../../surfaces/import/checks/check-source.ts'
import { loadSources } from '../../../../surfaces/import/open.ts'
import { withPolicies, type DeclaredSource, type SourceReader } from '../../../../surfaces/import/source.ts'
import { lantern } from '../lantern.ts'

const reader = lantern.reader!
const isSafe = (pattern: string): boolean => !pattern.includes('(a|a)*')
const attributes = loadOneCorpus('pantry', packageFolder, 'attributes')?.loaded?.corpus.entries ?? []
const ofLantern = attributes.map(one => (one['name'] === 'block' ? { ...one, games: ['op', 'lan'] } : one))
const entriesOf = (corpus: string) => (corpus === 'attributes' ? ofLantern : undefined)
const check = (changed: object) =>
  checkSource({ ...lantern, ...changed }, isSafe, entriesOf).map(({ pointer, message }) => [pointer.join('.'), message])
const withReader = (changed: Partial<SourceReader>) => check({ reader: { ...reader, ...changed } })
const withMap = (changed: object) => withReader({ map: { ...reader.map, ...changed } })

t.test('a sound source has no problems', t => {
  t.same(check({}), [])
  t.end()
})

t.test('what the source does not state is that of its policies, and together they state everything', t => {
  const rest = Object.fromEntries(
    Object.entries(lantern).filter(([member]) => member !== 'cadence' && member !== 'access')
  ) as unknown as DeclaredSource
  const { access } = lantern
  const policies = [
    { id: 'never', meaning: 'Done.', cadence: 'Never.', license: 'MIT' },
    { id: 'read', meaning: 'Read.', access, license: null, cadence: 'Often.' }
  ]
  const declared = (changed: object) => ({ ...rest, ...changed })
  t.match(withPolicies(declared({ license: 'CC0-1.0', policies: ['read', 'never'] }), policies), {
    source: { access, cadence: 'Never.', license: 'CC0-1.0', policies: undefined, meaning: undefined },
    missing: [],
    unknown: []
  })
  const problems = (names: readonly string[]) =>
    checkSource(declared({ policies: names }), isSafe, corpus =>
      corpus === 'source-policies' ? policies : undefined
    ).map(({ pointer, message }) => [pointer.join('.'), message])
  t.same(problems(['read', 'never']), [])
  t.same(problems(['never']), [['', 'Neither the source nor a policy of it states `access`.']])
  t.same(problems(['never', 'rea']).slice(0, 1), [['policies', 'There is no policy `rea`.']])
  t.throws(() => loadSources([declared({ policies: ['never'] })], policies), {
    message: 'Source `lantern`: Nothing states `access`.'
  })
  t.end()
})

t.test('an attribute is declared, belongs to the games of the source, and has the type and the values declared', t => {
  const withAttributes = (attributes: object, games = ['op']) =>
    check({ games, reader: { ...reader, map: { ...reader.map, game: { const: games[0] }, attributes } } })
  t.ok(attributes.length > 10)
  t.same(
    withAttributes({
      cost: 'card.cost',
      block: { first: ['card.block', { const: 'X' }] },
      keywords: { path: 'card.keywords', split: [' '], values: { Rush: 'rush' } }
    }),
    []
  )
  t.same(withAttributes({ rules: 'card.trait' }), [['reader.map.attributes.rules', 'There is no attribute `rules`.']])
  t.same(withAttributes({ pitch: 'card.pitch' }), [['reader.map.attributes.pitch', '`pitch` is no attribute of `op`.']])
  t.same(withAttributes({ pitch: 'card.pitch' }, ['fab']), [])
  t.same(withAttributes({ pitch: { const: 4 } }, ['fab']), [['reader.map.attributes.pitch', '`pitch` cannot be `4`.']])
  t.same(withAttributes({ counter: { path: 'card.counter', split: ['/'] } }), [
    ['reader.map.attributes.counter', 'The expression gives a value of the type `list`.']
  ])
  t.same(withAttributes({ types: { path: 'card.types', transform: ['integer'] } }), [
    ['reader.map.attributes.types', 'The expression gives a value of the type `integer`.']
  ])
  t.same(withAttributes({ keywords: { path: 'card.keywords', split: [' '], values: { Haste: 'haste' } } }), [
    ['reader.map.attributes.keywords', '`keywords` cannot be `haste`.']
  ])
  t.end()
})

t.test('games and languages: the map gives declared ones, and a game has an entry', t => {
  const games = [{ token: 'op' }]
  const problems = checkSource(
    {
      ...lantern,
      games: ['opp', 'lan'],
      reader: { ...reader, map: { ...reader.map, game: { const: 'dbf' }, lang: { const: 'fr' } } }
    },
    isSafe,
    corpus => (corpus === 'games' ? games : undefined)
  )
  t.same(
    problems.map(({ pointer, message, hint }) => [pointer.join('.'), message, hint]),
    [
      [
        'reader.map.game',
        'The source does not declare the game `dbf`.',
        'It declares `opp`, `lan`: add it to `games`, or correct it here.'
      ],
      [
        'reader.map.lang',
        'The source does not declare the language `fr`.',
        'It declares `en`, `ja`: add it to `languages`, or correct it here.'
      ],
      [
        'games.0',
        'There is no game `opp`.',
        'Write `corpora/games/entries/opp.yaml`, or take the token of an entry there, such as `op`.'
      ],
      [
        'games.1',
        'There is no game `lan`.',
        'Write `corpora/games/entries/lan.yaml`, or take the token of an entry there.'
      ]
    ]
  )
  t.end()
})

t.test('a map gives fields of a card and nothing else', t => {
  t.same(withMap({ raritty: 'card.rarity' }), [['reader.map.raritty', 'A card has no field `raritty`.']])
  t.end()
})

t.test('patterns: none, without the group, not safe', t => {
  t.match(withMap({ rarity: { path: 'card.id', pattern: '(', group: 'a' } }), [
    ['reader.map.rarity.pattern', /^Invalid regular expression/]
  ])
  t.match(withMap({ rarity: { path: 'card.id', pattern: '(?<a>.)', group: 'b' } }), [
    ['reader.map.rarity.group', 'The pattern `(?<a>.)` has no group `b`.']
  ])
  t.match(withMap({ rarity: { first: ['card.id', { const: 1, pattern: '(?<b>(a|a)*)', group: 'b' }] } }), [
    ['reader.map.rarity.first.1.pattern', /backtrack/]
  ])
  t.end()
})

t.test('names that are declared nowhere, in every place that takes an expression', t => {
  t.same(withMap({ rarity: { lookup: 'sest', key: 'card.id', path: 'set.x' } }), [
    ['reader.map.rarity.lookup', 'There is no table `sest`.']
  ])
  t.same(withMap({ rarity: { lookup: 'sets', key: 'crad.id', path: 'card.x' } }), [
    ['reader.map.rarity.key', 'There is no loop `crad`.'],
    ['reader.map.rarity.path', 'There is no loop `card`.']
  ])
  t.same(withMap({ attributes: { cost: { join: ['cost'], with: '' } } }), [
    ['reader.map.attributes.cost.join.0', 'There is no loop `cost`.']
  ])
  t.same(withMap({ set_name_translations: 'names', name_translations: { languages: { en: 'name' } } }), [
    ['reader.map.set_name_translations', 'There is no loop `names`.'],
    ['reader.map.name_translations.languages.en', 'There is no loop `name`.']
  ])
  t.same(withReader({ only_with: 'text.x' }), [['reader.only_with', 'There is no loop `text`.']])
  t.same(withReader({ tables: { sets: { ...reader.tables!['sets']!, key: 'card.id' } } }), [
    ['reader.tables.sets.key', 'There is no loop `card`.']
  ])
  t.end()
})

t.test('loops: the outermost runs over the document, the others over something', t => {
  const rows = (...steps: object[]) => withReader({ rows: [...steps] as unknown as SourceReader['rows'] })
  t.match(rows({ as: 'list', each: 'file.x' }, { as: 'card', each: 'list' }), [['reader.rows.0.each', /outermost/]])
  t.match(rows({ as: 'list' }, { as: 'card' }), [['reader.rows.1', 'An inner loop needs `each`.']])
  t.match(rows({ as: 'list' }, { as: 'card', each: 'lost' }), [['reader.rows.1.each', 'There is no loop `lost`.']])
  t.same(rows({ as: 'list', key: 'series' }, { as: 'card', each: 'list', key: 'series_name', split: [','] }), [])
  t.end()
})

t.test('fields of a file that belong to another shape, and a shape that there is not', t => {
  t.match(withReader({ files: [{ shape: 'ini' as never, path: 'a.ini' }] }), [
    ['reader.files.0.shape', 'There is no shape `ini`.']
  ])
  t.match(withReader({ files: [{ shape: 'table', path: 'a.csv', at: 'cards' }] }), [
    ['reader.files.0.at', '`at` has no meaning for the shape `table`.']
  ])
  t.match(withReader({ files: [{ shape: 'json', path: 'a.json', quotes: false }] }), [
    ['reader.files.0.quotes', /no meaning/]
  ])
  t.match(withReader({ files: [{ shape: 'json', path: 'a.json', at: 'cards', single: true }] }), [
    ['reader.files.0.at', /one row/]
  ])
  t.end()
})

t.test('access: what is wired says how and where, and nothing else has a reader', t => {
  t.same(check({ where: undefined }), [['access', 'A source that is `wired` says `where` its files are.']])
  t.match(check({ where: 'package' }), [['where', /upstream\.package/]])
  t.same(check({ reader: undefined }), [['access', 'A source that is `wired` needs a `reader`.']])
  t.same(check({ access: 'blocked' }), [['reader', 'A source that is `blocked` has no `reader`.']])
  t.same(check({ access: 'planned', reader: undefined }), [])
  t.end()
})

t.test(
  'expressions with names are declared before they are used, dates have a form, and other paths of a loop start at one',
  t => {
    t.same(
      withReader({ expressions: { a: { use: 'b' }, b: 'card.x' }, map: { ...reader.map, rarity: { use: 'b' } } }),
      [['reader.expressions.a.use', 'There is no expression `b` here.']]
    )
    t.same(withMap({ rarity: { use: 'a' } }), [['reader.map.rarity.use', 'There is no expression `a` here.']])
    t.same(withReader({ expressions: { a: 'card.price' }, map: { ...reader.map, rarity: { use: 'a' } } }), [
      ['reader.map.rarity.use', '`card.price` is a price by its name, and none is kept.']
    ])
    t.same(withMap({ released_on: { path: 'card.day', format: 'DD/MM/YYYY' } }), [
      ['reader.map.released_on.format', '`DD/MM/YYYY` is no form of dates.']
    ])
    t.same(withMap({ released_on: { path: 'card.day', format: 'D/M/Y' } }), [])
    t.same(withMap({ rarity: { const: 'R', when: { value: 'crad.x', is: [1] } } }), [
      ['reader.map.rarity.when.value', 'There is no loop `crad`.']
    ])
    t.same(withReader({ rows: [{ as: 'list' }, { as: 'card', each: 'list', or: ['lst'], otherwise: 'lost.x' }] }), [
      ['reader.rows.1.each', 'There is no loop `lst`.'],
      ['reader.rows.1.otherwise', 'There is no loop `lost`.']
    ])
    t.same(withMap({ rarity: { path: ['card', 'No. 1'] } }), [])
    t.end()
  }
)
