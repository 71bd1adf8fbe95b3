import t, { type Test } from 'tap'
import { factsIn } from '../../../surfaces/cards/facts-by-source.ts'
import { cardContentHash } from '../../../surfaces/cards/documents/card.ts'
import { sampleCard } from '../../../surfaces/cards/card-fields.ts'
import { declaredSources } from './bundled-sources.ts'
import { plain, rowsOf } from './rows-on-disk.ts'

const sources = declaredSources()

/** Returns the faces that are kept of rows of a declared source; `files`: its files by path. */
const facesOf = async (t: Test, id: string, files: Readonly<Record<string, unknown>>) =>
  (await rowsOf(t, sources.get(id)!, files)).map(({ faces }) => faces)

const table = (rows: readonly (readonly string[])[]): string => rows.map(row => row.join('\t')).join('\n')

t.test('a card with a front and a back is one card with two faces', async t => {
  const front = { title: 'Tide / Ebb', type: 'Objective' }
  const cards = [
    { id: 1, set: '1', gempId: '1_1', front, back: { title: 'Tide / Ebb', type: 'Objective', power: '7' } },
    { id: 2, set: '1', gempId: '1_2', front: { title: 'Shore', type: 'Location' } }
  ]
  const files = { 'Dark.json': { cards }, 'sets.json': [], 'rarity.json': {} }
  t.same(await facesOf(t, 'swccg-card-json', files), [
    [
      { side: 'front', name: 'Tide', attributes: { category: 'objective' } },
      { side: 'back', name: 'Ebb', attributes: { category: 'objective', power: 7 } }
    ],
    null
  ])
})

t.test('a leader with two sides has the name on both, and no text of either', async t => {
  const leader = { Set: 'ABC', Number: '1', Name: 'Wave', Subtitle: 'Of One', Type: 'Leader', Artist: 'A. Painter' }
  const rows = [
    { ...leader, DoubleSided: true, FrontText: 'Draw a card.', BackText: 'Draw two cards.' },
    { ...leader, Number: '2', DoubleSided: false }
  ]
  const name = 'Wave - Of One'
  t.same(await facesOf(t, 'swu-json', { 'sets/One.json': rows }), [
    [
      { side: 'front', name, attributes: null },
      { side: 'back', name, attributes: null }
    ],
    null
  ])
})

t.test('the modes of a character are its faces, and one of a single mode has none', async t => {
  const bot = { Name: 'Tide', Set: 'Wave 1', 'Alt⚔️': 3, 'Alt🛡️': 1, 'Alt Type(s)': ['Car', 'Plane'] }
  const fields = [
    { ...bot, 'Card #': 'T1', 'Bot⚔️': 5, 'Bot🛡️': 0 },
    { ...bot, 'Card #': 'T2', 'Bot⚔️': 5, 'Bot🛡️': 0, 'Alt 2⚔️': 4, 'Alt 2🛡️': 2 },
    { ...bot, 'Card #': 'T3' }
  ]
  const faces = await facesOf(t, 'tftcg-cards-json', {
    'json/bot-cards.json': { records: fields.map((fields, id) => ({ id: `r${id}`, fields })) },
    'json/battle-cards.json': { records: [] }
  })
  const alt = (...types: string[]) => ({ side: 'alt mode', name: null, attributes: { power: 3, defence: 1, types } })
  const botMode = { side: 'bot mode', name: null, attributes: { power: 5, defence: 0 } }
  const other = { side: 'alt 2 mode', name: null, attributes: { power: 4, defence: 2, types: ['Plane'] } }
  t.same(faces, [[alt('Car', 'Plane'), botMode], [alt('Car'), botMode, other], null])
})

t.test('a warlord has a hale and a bloodied face', async t => {
  const card = { code: '1', pack_code: 'core', title: 'Tide', illustrator: 'A. Painter', atk: 2, hp: 6 }
  const pack = [
    { ...card, position: 1, type_code: 'warlord', bloodied_atk: 3, bloodied_hp: 5 },
    { ...card, code: '2', position: 2, type_code: 'army' }
  ]
  t.same(await facesOf(t, 'conquest-cards-json', { 'pack/core.json': pack, 'packs.json': [] }), [
    [
      { side: null, name: null, attributes: { life: 6, power: 2 } },
      { side: 'bloodied', name: null, attributes: { life: 5, power: 3 } }
    ],
    null
  ])
})

t.test('front and back that are listed apart have the same faces; tokens printed back to back have none', async t => {
  const cards = ['Unique ID', 'Name', 'Pitch', 'Types']
  const printings = ['Unique ID', 'Card Unique ID', 'Card Name', 'Card ID', 'Set ID', 'Edition', 'Foiling', 'Rarity']
  const printing = (id: string, name: string, number: string) => [`p${id}`, id, name, number, 'ABC', 'N', 'S', 'T']
  const files = {
    'csvs/english/card.csv': [
      cards,
      ['1', 'Tide', '2', 'Action'],
      ['2', 'Ebb', '', 'Token,Ally'],
      ['3', 'Ash', '', 'Token']
    ],
    'csvs/english/card-printing.csv': [
      printings,
      printing('1', 'Tide', 'ABC001'),
      printing('2', 'Ebb', 'ABC001'),
      printing('3', 'Ash', 'ABC002')
    ],
    'csvs/english/card-face-association.csv': [
      ['Front Card Printing Unique ID', 'Back Card Printing Unique ID', 'Is DFC'],
      ['p1', 'p2', 'Yes'],
      ['p3', 'p2', 'No']
    ],
    ...Object.fromEntries(['set', 'set-printing', 'rarity'].map(name => [`csvs/english/${name}.csv`, [['Unique ID']]]))
  }
  const texts = Object.fromEntries(Object.entries(files).map(([path, rows]) => [path, table(rows)]))
  const faces = [
    { side: 'front', name: 'Tide', attributes: { pitch: 2, types: ['Action'] } },
    { side: 'back', name: 'Ebb', attributes: { types: ['Token', 'Ally'] } }
  ]
  t.same(await facesOf(t, 'fab-cube', texts), [faces, faces, null])
})

const faced = {
  ...plain(),
  attributes: sources.get('swccg-card-json')!.attributes!,
  reader: {
    ...plain().reader!,
    map: {
      ...plain().reader!.map,
      faces: [
        { name: 'row.one', attributes: { cost: 'row.cost' } },
        { side: { const: 'back' }, name: 'row.other' }
      ]
    }
  }
}
const row = { id: '1', set: 'AB1', number: '1', lang: 'en' }

t.test('a face without a name and an attribute is none; what no attribute may be is left out of it', async t => {
  const of = async (more: object) => (await rowsOf(t, faced, { 'rows.json': [{ ...row, ...more }] }))[0]?.faces
  t.equal(await of({ one: 'Tide' }), null)
  t.match(await of({ cost: 1, other: 'Ebb' }), [
    { name: null, attributes: { cost: 1 } },
    { side: 'back', name: 'Ebb' }
  ])
  t.match(await of({ one: 'Tide', cost: 12345678, other: 'Ebb' }), [{ name: 'Tide', attributes: null }, {}])
  await t.rejects(of({ one: '$3.50', other: 'Ebb' }), { message: /^`faces\.name` holds a price/ })
  await t.rejects(of({ one: 'example.com/1', other: 'Ebb' }), { message: /^`faces\.name` holds a link/ })
})

t.test('faces are in no content hash, and sources are compared by their names', t => {
  const card = sampleCard('example')
  t.equal(cardContentHash(card), cardContentHash({ ...card, faces: null }))
  t.same(
    factsIn(card).find(([field]) => field === 'faces.name'),
    ['faces.name', ['name', 'name']]
  )
  t.same(
    factsIn({ ...card, faces: null }).find(([field]) => field === 'faces.name'),
    ['faces.name', null]
  )
  t.end()
})
