// test: slow.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../../bin/project.ts'
import { checkDeclaration } from '../../surfaces/import/checks/check-source.ts'
import { withPolicies, type DeclaredSource } from '../../surfaces/import/source.ts'
import { entriesOf } from '../surfaces/import/bundled-sources.ts'
import { pantry as run } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { mappedRows } from '../support/mapped-rows.ts'
import { scratchFolder } from '../support/scratch.ts'
import { writeSqlite } from '../support/sqlite-file.ts'
import { writeWorkbook } from '../support/workbook.ts'

const { url, database } = await testDatabase(t)
const pantry = (args: readonly string[]): ReturnType<typeof run> => run(args, { DATABASE_URL: url })

/** A folder with the given files; a value that is no text is written as JSON. */
function folderWith(t: Test, files: Readonly<Record<string, unknown>>): string {
  const folder = scratchFolder(t)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const row = (number: number) => ({
  front: `https://example.com/CANARY-${number}`,
  id: `c${number}`,
  set_code: 'AB1',
  number,
  name: `Card ${number}`,
  rarity: number === 1 ? 'R' : 'C',
  price: '1.00',
  image_url: 'https://example.com/CANARY.png',
  tcgplayer_id: 'CANARY'
})
const shapes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a list in JSON': { 'package.json': { name: 'x' }, 'data/cards.json': [row(1), row(2)] },
  'a list within a document': {
    'cards.json': { made: 'today', data: { cards: [row(1), row(2)] } },
    'sets.json': [{ code: 'AB1', name: 'One' }]
  },
  'several files': { 'sets/a.json': [row(1)], 'sets/b.json': [row(2)] },
  YAML: {
    'cards.yml':
      '- { id: c1, set_code: AB1, number: 1, name: Card 1, rarity: R }\n- { id: c2, set_code: AB1, number: 2, name: Card 2, rarity: C }\n'
  },
  CSV: { 'cards.csv': 'id,set_code,number,name,rarity\nc1,AB1,1,Card 1,R\nc2,AB1,2,Card 2,C\n' },
  'a table with semicolons': { 'cards.csv': 'id;set_code;number;name;rarity\nc1;AB1;1;Card 1;R\nc2;AB1;2;Card 2;C\n' },
  'a table with tabs': {
    'cards.txt': 'id\tset_code\tnumber\tname\trarity\nc1\tAB1\t1\tCard 1\tR\nc2\tAB1\t2\tCard 2\tC\n'
  },
  XML: {
    'cards.xml':
      '<cards><card id="c1" set_code="AB1" number="1" rarity="R"><name>Card 1</name></card><card id="c2" set_code="AB1" number="2" rarity="C"><name>Card 2</name></card></cards>'
  }
}

for (const [shape, files] of Object.entries(shapes)) {
  t.test(`${shape}: the proposal is sound, and reads the rows`, async t => {
    const folder = folderWith(t, files)
    const { code, stdout, stderr } = await pantry([
      'new',
      'source',
      'a-new-one',
      '--from',
      folder,
      '--game',
      'op',
      '--dry-run'
    ])
    t.equal(code, 0, stderr)
    t.match(stderr, /unique +card\.id +100 % +2 +c1/)
    t.notMatch(stdout + stderr, /CANARY|card\.price|card\.image/, 'what is never kept is not even shown')
    const [, text = ''] = stdout.split(/^--- corpora\/sources\/entries\/a-new-one\.yaml\n/m)
    const { source } = withPolicies(parse(text) as DeclaredSource, entriesOf('source-policies'))
    t.same(
      checkDeclaration(source, () => true),
      []
    )
    const rows = []
    for await (const mapped of mappedRows(source.reader!, folder))
      rows.push('sku' in mapped ? [mapped.sku, mapped.row.name, mapped.row.rarity] : mapped)
    t.same(rows, [
      ['op-ab1-1-en', 'Card 1', 'R'],
      ['op-ab1-2-en', 'Card 2', 'C']
    ])
  })
}

t.test('a game without an entry gets a skeleton; a folder without rows is told', async t => {
  t.match(
    (
      await pantry([
        'new',
        'source',
        'a-new-one',
        '--from',
        folderWith(t, shapes['CSV'] ?? {}),
        '--game',
        'zzz',
        '--dry-run'
      ])
    ).stdout,
    /--- corpora\/games\/entries\/zzz\.yaml\ntoken: zzz/
  )
  t.match(await pantry(['new-source', 'a-new-one', '--from', folderWith(t, { 'readme.md': 'x' }), '--game', 'op']), {
    code: 1,
    stderr: /No file in .* has rows/
  })
  t.match(await pantry(['new-source', 'A', '--from', '.', '--game', 'op']), { code: 2, stderr: /lowercase words/ })
  t.match(await pantry(['new-source', 'a', '--from', '.', '--game', '../../op']), {
    code: 2,
    stderr: /token of a game/
  })
  t.match(await pantry(['new-source', 'a', '--from', '.', '--game', 'op', '--language', '../en']), {
    code: 2,
    stderr: /language is a tag/
  })
  t.match(await pantry(['new-source', 'a', '--from', 'nowhere', '--game', 'op']), {
    code: 2,
    stderr: /There is no folder/
  })
})

t.test(
  'entries are written to the root that has their corpus, whichever is named last, and none is overwritten',
  async t => {
    const [home, other] = ['home', 'other'].map(() =>
      folderWith(t, { 'manifests/service.yaml': readFileSync(join(packageFolder, 'manifests/service.yaml'), 'utf8') })
    ) as [string, string]
    cpSync(join(packageFolder, 'corpora'), join(home, 'corpora'), { recursive: true })
    const asked = [
      'new',
      'source',
      'a-new-one',
      '--from',
      folderWith(t, shapes['CSV'] ?? {}),
      '--game',
      'zzz',
      '--root',
      home,
      '--root',
      other
    ]
    const { code, stderr } = await pantry(asked)
    t.equal(code, 0, stderr)
    t.match(parse(readFileSync(join(home, 'corpora/sources/entries/a-new-one.yaml'), 'utf8')), {
      id: 'a-new-one',
      games: ['zzz']
    })
    t.match(parse(readFileSync(join(home, 'corpora/games/entries/zzz.yaml'), 'utf8')), { token: 'zzz' })
    t.notOk(existsSync(join(other, 'corpora')), 'where a part of the corpus would be no corpus')
    t.match(await pantry(asked), {
      code: 2,
      stderr: /Nothing is overwritten, and there is corpora\/sources\/entries\/a-new-one\.yaml already/
    })
    t.match(await pantry([...asked.slice(0, -4), '--root', other]), {
      code: 2,
      stderr: /No root has a corpus `sources`/
    })
  }
)

t.test('rows of which none can be kept are told', async t => {
  const folder = folderWith(t, {
    'cards.json': [1, 2].map(number => ({
      id: `c${number}`,
      set_code: 'AB1',
      number,
      name: `Card ${number}`,
      artist: '12345'
    }))
  })
  const { code, stderr } = await pantry(['new', 'source', 'a-new-one', '--from', folder, '--game', 'op', '--dry-run'])
  t.equal(code, 1)
  t.match(
    stderr,
    /error: `reader\.map\.illustrators`: None of 2 rows could be kept\. `illustrators` is a bare number\.$/m
  )
})

t.test(
  'of a copy of a repository the commit, its day and the public address are taken, and no program that it names is run',
  async t => {
    const folder = folderWith(t, shapes['CSV'] ?? {})
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        encoding: 'utf8',
        env: { ...process.env, GIT_COMMITTER_DATE: '2026-03-04T00:00:00Z' }
      }).trim()
    git('init', '-q')
    git('remote', 'add', 'origin', 'https://reader:SECRET@example.com/owner/cards.git')
    git('add', '.')
    git('commit', '-q', '-m', 'One')
    // A commit with a signature, and a program to check it with that leaves a trace.
    const signed = git('cat-file', 'commit', 'HEAD').replace(
      '\n\n',
      '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n a\n -----END PGP SIGNATURE-----\n\n'
    )
    writeFileSync(join(folder, '.git', 'signed'), `${signed}\n`)
    git('update-ref', 'HEAD', git('hash-object', '-t', 'commit', '-w', '.git/signed'))
    const program = join(folder, '.git', 'program.sh')
    writeFileSync(program, `#!/bin/sh\ntouch ${join(folder, 'RUN')}\n`, { mode: 0o755 })
    git('config', 'gpg.program', program)
    git('config', 'log.showSignature', 'true')
    const { stdout } = await pantry(['new', 'source', 'a-new-one', '--from', folder, '--game', 'op', '--dry-run'])
    t.match(
      stdout,
      `name: owner/cards\n  url: https://example.com/owner/cards\n  commit: ${git('rev-parse', 'HEAD')}\n  committed_on: 2026-03-04`
    )
    t.notMatch(stdout, 'SECRET')
    t.notOk(existsSync(join(folder, 'RUN')))
  }
)

type Read = readonly (readonly [sku: string, name: string | null, set: string | null])[]

/** What the proposal for a folder reads of it: SKU, name and name of the set of each row. */
async function readAs(
  t: Test,
  folder: string
): Promise<Readonly<{ source: DeclaredSource; stderr: string; rows: Read }>> {
  const { code, stdout, stderr } = await pantry([
    'new',
    'source',
    'a-new-one',
    '--from',
    folder,
    '--game',
    'op',
    '--dry-run'
  ])
  t.equal(code, 0, stderr)
  const source = parse(stdout.split(/^--- corpora\/sources\/entries\/a-new-one\.yaml\n/m)[1] ?? '') as DeclaredSource
  const rows: (readonly [string, string | null, string | null])[] = []
  for await (const mapped of mappedRows(source.reader!, folder))
    if ('sku' in mapped) rows.push([mapped.sku, mapped.row.name ?? null, mapped.row.set.name ?? null])
  return { source, stderr, rows }
}

const printing = (set: string, number: number) => ({
  set,
  id: number,
  rarity: 'C',
  illustrator: 'A. Painter',
  prices: [{ amount: '1.00' }]
})
const inner: Readonly<Record<string, Readonly<{ files: Readonly<Record<string, unknown>>; rows: Read }>>> = {
  'sets with their cards': {
    files: {
      'all.json': {
        AB1: {
          name: 'One',
          code: 'AB1',
          releaseDate: '2024-05-13',
          cards: [
            { number: '1', name: 'Tide', rarity: 'C' },
            { number: '2', name: 'Ebb', rarity: 'C' }
          ]
        },
        AB2: {
          name: 'Two',
          code: 'AB2',
          releaseDate: '2024-06-13',
          cards: [{ number: '1', name: 'Flow', rarity: 'C' }]
        }
      }
    },
    rows: [
      ['op-ab1-1-en', 'Tide', 'One'],
      ['op-ab1-2-en', 'Ebb', 'One'],
      ['op-ab2-1-en', 'Flow', 'Two']
    ]
  },
  'cards with printings and languages, beside files of other things': {
    files: {
      'data/one.yml': [
        {
          cost: 1,
          languages: { en: { name: 'Tide' }, fr: { name: 'Marée' } },
          variants: [printing('AB1', 1), printing('AB2', 7)]
        }
      ],
      'data/two.yml': [{ cost: 2, languages: { en: { name: 'Ebb' } }, variants: [printing('AB2', 2)] }],
      'data/keywords.yml': Object.fromEntries(
        Array.from({ length: 30 }, (_, index) => [`word_${index}`, { logic: 'a', title: { en: `Word ${index}` } }])
      )
    },
    rows: [
      ['op-ab1-1-en', 'Tide', null],
      ['op-ab1-1-fr', 'Marée', null],
      ['op-ab2-7-en', 'Tide', null],
      ['op-ab2-7-fr', 'Marée', null],
      ['op-ab2-2-en', 'Ebb', null]
    ]
  },
  'numbers that the oldest rows lack': {
    files: {
      'cards.json': [
        { id: 'c1', set: 'AB1', name: 'Tide', rarity: 'C' },
        ...[2, 3, 4].map(number => ({ id: `c${number}`, set: 'AB2', number, name: `Ebb ${number}`, rarity: 'C' }))
      ]
    },
    rows: [
      ['op-ab1-c1-en', 'Tide', null],
      ['op-ab2-2-en', 'Ebb 2', null],
      ['op-ab2-3-en', 'Ebb 3', null],
      ['op-ab2-4-en', 'Ebb 4', null]
    ]
  },
  'a file of sets, and one of translations': {
    files: {
      'cards.json': [
        { id: 'c1', set_id: 'AB1', number: 1, name: 'Tide', rarity: 'C' },
        { id: 'c2', set_id: 'AB2', number: 2, name: 'Ebb', rarity: 'R' }
      ],
      'sets.json': [
        { id: 'AB1', name: 'One', released_on: '2024-05-13' },
        { id: 'AB2', name: 'Two', released_on: '2024-06-13' }
      ],
      'fr.json': [
        { id: 'c1', name: 'Marée' },
        { id: 'c2', name: 'Reflux' }
      ]
    },
    rows: [
      ['op-ab1-1-en', 'Tide', 'One'],
      ['op-ab2-2-en', 'Ebb', 'Two']
    ]
  },
  'printings that name their cards': {
    files: {
      'printings/AB1.json': [
        { card_id: 'tide', position: 1, artist: 'A' },
        { card_id: 'ebb', position: 2, artist: 'B' }
      ],
      'printings/AB2.json': [
        { card_id: 'tide', position: 1, artist: 'A' },
        { card_id: 'ebb', position: 3, artist: 'B' }
      ],
      'cards/tide.json': { id: 'tide', name: 'Tide' },
      'cards/ebb.json': { id: 'ebb', name: 'Ebb' },
      'cards/flow.json': { id: 'flow', name: 'Flow' }
    },
    rows: [
      ['op-ab1-1-en', 'Tide', null],
      ['op-ab1-2-en', 'Ebb', null],
      ['op-ab2-1-en', 'Tide', null],
      ['op-ab2-3-en', 'Ebb', null]
    ]
  },
  'cards with attacks, of which some have no number': {
    files: Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `cards/${at}.json`,
        {
          jp_id: at + 1,
          name: `Beast ${at + 1}`,
          set_name: 'AB1',
          ...(at < 8
            ? { number: `00${at + 1}`, attacks: [{ name: 'Leap', cost: ['Grass'], damage: 40 }, { name: 'Bite' }] }
            : {})
        }
      ])
    ),
    rows: [0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9].map(at => [
      `op-ab1-${at < 8 ? `00${at + 1}` : at + 1}-en`,
      `Beast ${at + 1}`,
      null
    ])
  },
  'one list in a document, with printings that name their sets': {
    files: {
      'cards.json': {
        $schema: 'schema.json',
        cards: ['Tide', 'Ebb'].map((name, at) => ({
          name,
          cost: 4,
          printings: [{ set: `AB${at + 1}`, id: `${at + 1}/110`, rarity: 'Rare', illustrator: 'A. Painter' }]
        }))
      }
    },
    rows: [
      ['op-ab1-1~2f110-en', 'Tide', null],
      ['op-ab2-2~2f110-en', 'Ebb', null]
    ]
  },
  'modules of literals, of which each names its set': {
    files: {
      'data/One.ts': `const set = { id: 'AB1', name: { en: 'One', fr: 'Un' } }\nexport default set\n`,
      ...Object.fromEntries(
        ['Tide', 'Ebb', 'Flow'].map((name, at) => [
          `data/One/${at + 1}.ts`,
          `import set from '../One'\nconst card: Card = { set, name: { en: '${name}', fr: '${name} fr' }, rarity: 'C' }\nexport default card\n`
        ])
      )
    },
    rows: [
      ['op-ab1-1-en', 'Tide', 'One'],
      ['op-ab1-2-en', 'Ebb', 'One'],
      ['op-ab1-3-en', 'Flow', 'One']
    ]
  },
  'a set with its cards, and other lists beside': {
    files: {
      'sets/one.yaml':
        'name: One\ncards:\n  - { name: Tide, cost: 3 }\n  - { name: Ebb, cost: 3 }\nothercards:\n  - { name: Flow, cost: 1 }\n'
    },
    rows: [
      ['op-one-tide-en', 'Tide', null],
      ['op-one-ebb-en', 'Ebb', null],
      ['op-one-flow-en', 'Flow', null]
    ]
  },
  'a folder for each set, of which one says more of its cards': {
    files: Object.fromEntries(
      ['ab1', 'ab2'].map((set, more) => [
        `data/${set}/database.json`,
        [1, 2].map(at => ({
          number: `${at}/9`,
          name: `Card ${at}`,
          rarity: 'C',
          ...(more === 0 ? {} : { hp: at, stage: `s${at}`, weakness: `w${at}`, resistance: `r${at}`, retreat: at })
        }))
      ])
    ),
    rows: ['ab1', 'ab2'].flatMap(set => [1, 2].map(at => [`op-${set}-${at}~2f9-en`, `Card ${at}`, null] as const))
  },
  'a release with its sets, and their cards': {
    files: {
      'lists/1991.json': {
        name: '1991 Premier',
        sets: [
          {
            name: 'Base',
            cards: [
              { number: '1', name: 'Tide' },
              { number: '2', name: 'Ebb' }
            ]
          }
        ]
      }
    },
    rows: [
      ['op-base-1-en', 'Tide', null],
      ['op-base-2-en', 'Ebb', null]
    ]
  },
  'a folder for each set, with a file for each card': {
    files: Object.fromEntries(
      ['1', '2', '3', '4'].map(number => [
        `cards/AB${number === '4' ? 2 : 1}/${number}.json`,
        { number, name: `Card ${number}`, rarity: 'C' }
      ])
    ),
    rows: [
      ['op-ab1-1-en', 'Card 1', null],
      ['op-ab1-2-en', 'Card 2', null],
      ['op-ab1-3-en', 'Card 3', null],
      ['op-ab2-4-en', 'Card 4', null]
    ]
  },
  'lines of JSON': {
    files: { 'cards.ndjson': `${[row(1), row(2)].map(one => JSON.stringify(one)).join('\n')}\n` },
    rows: [
      ['op-ab1-1-en', 'Card 1', null],
      ['op-ab1-2-en', 'Card 2', null]
    ]
  },
  'streams of YAML with an ending of their own': {
    files: {
      'data/ab1.cards': '---\nname: Tide\nnumber: 1\nrarity: C\n---\nname: Ebb\nnumber: 2\nrarity: C\n',
      'data/readme.md': '---\ntitle: Cards\n---\n# Cards\n'
    },
    rows: [
      ['op-ab1-1-en', 'Tide', null],
      ['op-ab1-2-en', 'Ebb', null]
    ]
  },
  'a folder for each language': {
    files: {
      'english/AB1.json': [
        { code: 'AB1-001', name: 'Tide', rarity: 'C' },
        { code: 'AB1-002', name: 'Ebb', rarity: 'C' }
      ],
      'jp/AB1.json': [
        { code: 'AB1-001', name: '潮', rarity: 'C' },
        { code: 'AB1-002', name: '引き潮', rarity: 'C' }
      ]
    },
    rows: [
      ['op-ab1-ab1_001-en', 'Tide', null],
      ['op-ab1-ab1_002-en', 'Ebb', null],
      ['op-ab1-ab1_001-ja', '潮', null],
      ['op-ab1-ab1_002-ja', '引き潮', null]
    ]
  }
}

for (const [shape, { files, rows }] of Object.entries(inner)) {
  t.test(shape, async t => {
    const folder = folderWith(t, files)
    const read = await readAs(t, folder)
    t.same(read.rows, rows)
    t.same(
      checkDeclaration(withPolicies(read.source, entriesOf('source-policies')).source, () => true),
      []
    )
    t.match(
      read.stderr,
      new RegExp(`a-new-one: ${rows.length} rows in [0-9]+ files?, ${rows.length} mapped, 0 not`),
      'the dry run is printed'
    )
  })
}

t.test('translations are found in files named by their language', async t => {
  const { source } = await readAs(t, folderWith(t, inner['a file of sets, and one of translations']?.files ?? {}))
  t.match(source.reader?.map.name_translations, { languages: { fr: { lookup: 'names_fr', key: 'card.id' } } })
  t.match(source.reader?.sets?.map, { code: 'set.id', name: 'set.name', released_on: 'set.released_on' })
})

t.test('a file of other things in another language is no table of names of cards', async t => {
  const cards = Array.from({ length: 12 }, (_, at) => ({
    code: `c${at}`,
    set_code: 'AB1',
    number: at + 1,
    name: `Card ${at}`,
    faction_code: at % 2 === 0 ? 'tide' : 'ebb'
  }))
  const { source } = await readAs(
    t,
    folderWith(t, {
      'cards.json': cards,
      'translations/de/factions.de.json': [
        { code: 'tide', name: 'Flut' },
        { code: 'ebb', name: 'Ebbe' }
      ],
      'translations/fr/cards.fr.json': cards.map(({ code }, at) => ({ code, name: `Carte ${at}` }))
    })
  )
  t.match(source.reader?.map.name_translations, { languages: { fr: { key: 'card.code', path: 'card.name' } } })
  t.notOk(JSON.stringify(source.reader).includes('factions'))
})

t.test(
  'a folder in which nothing is read says what is in it, and one that is read how many rows were looked at',
  async t => {
    const none = folderWith(t, {
      'cards/a.ts': 'export const a = 1',
      'cards/b.ts': 'export const b = 1',
      'list.xlsx': 'x'
    })
    t.match(await pantry(['new-source', 'a-new-one', '--from', none, '--game', 'op']), {
      code: 1,
      stderr: /There are 2 `\.ts`, 1 `\.xlsx`\./
    })
    const { stderr } = await readAs(t, folderWith(t, shapes['CSV'] ?? {}))
    t.match(stderr, 'fields of the first 2 rows that were looked at; the dry run below counts all')
  }
)

t.test('the skeleton of a game has the usual forms that its numbers are printed in', async t => {
  const cards = ['182/414', 'TG01/TG30', 'AB01-001', 'x1'].map((number, at) => ({
    id: `c${at}`,
    set_code: 'AB1',
    number,
    name: `Card ${at}`
  }))
  const folder = folderWith(t, { 'cards.json': cards })
  const { stdout } = await pantry(['new', 'source', 'a-new-one', '--from', folder, '--game', 'zzz', '--dry-run'])
  const [, game = ''] = stdout.split(/^--- corpora\/games\/entries\/zzz\.yaml\n/m)
  const { printed_numbers: forms } = parse(game) as Readonly<{
    printed_numbers: readonly Readonly<{ form: string; examples: readonly string[] }>[]
  }>
  t.same(
    forms.map(({ form, examples }) => [form, examples]),
    [
      ['number-of-total', ['182/414', 'tg01/tg30']],
      ['set-and-number', ['ab01-001']]
    ]
  )
})

t.test('a database and a workbook are proposed with their table', async t => {
  const cards = [row(1), row(2)].map(({ id, set_code: set, number, name, rarity }) => [
    id,
    set,
    String(number),
    name,
    rarity
  ])
  const names = ['id', 'set_code', 'number', 'name', 'rarity']
  const database = folderWith(t, {})
  writeSqlite(
    join(database, 'cards.sqlite'),
    `create table sets (code text); insert into sets values ('AB1'); create table cards (${names.map(name => `${name} text`).join(', ')});
    ${cards.map(card => `insert into cards values (${card.map(cell => `'${cell}'`).join(', ')});`).join('')}`
  )
  const workbook = folderWith(t, {})
  writeWorkbook(join(workbook, 'cards.xlsx'), { 'All cards': [names, ...cards], Sets: [['code'], ['AB1']] })
  for (const [folder, file] of [
    [database, { shape: 'sqlite', path: 'cards.sqlite', table: 'cards' }],
    [workbook, { shape: 'xlsx', path: 'cards.xlsx', table: 'All cards' }]
  ] as const) {
    const { source, rows } = await readAs(t, folder)
    t.same(source.reader?.files, [file])
    t.same(rows, [
      ['op-ab1-1-en', 'Card 1', null],
      ['op-ab1-2-en', 'Card 2', null]
    ])
  }
})

const proposed = async (folder: string, ...more: readonly string[]) =>
  await pantry(['new', 'source', 'a-new-one', '--from', folder, '--game', 'zzz', ...more])

t.test('what the upstream calls languages becomes their tags, and a tag that is none is told', async t => {
  const cards = ['Japanese', 'jp', 'en', 'zh_Hant'].map((language, at) => ({ ...row(at + 1), language }))
  const { source, rows } = await readAs(t, folderWith(t, { 'cards.json': cards }))
  t.same(source.languages, ['en', 'ja', 'zh-hant'])
  t.same(source.reader?.map.lang, { path: 'card.language', values: { Japanese: 'ja', jp: 'ja', zh_Hant: 'zh-hant' } })
  t.same(
    rows.map(([sku]) => sku),
    ['op-ab1-1-ja', 'op-ab1-2-ja', 'op-ab1-3-en', 'op-ab1-4-zh_hant']
  )
  const { stderr } = await proposed(folderWith(t, { 'cards.json': [row(1), row(2)] }), '--language', 'jp', '--dry-run')
  t.match(stderr, /lang +`jp` is no tag of a language: Japanese is `ja`\./)
  t.match(await proposed(folderWith(t, shapes['CSV'] ?? {}), '--language', 'zh-Hans', '--dry-run'), {
    code: 0,
    stdout: /const: zh-hans/
  })
})

t.test('fields of a new game become attributes, declared or with the game added', async t => {
  const home = folderWith(t, {
    'manifests/service.yaml': readFileSync(join(packageFolder, 'manifests/service.yaml'), 'utf8')
  })
  cpSync(join(packageFolder, 'corpora'), join(home, 'corpora'), { recursive: true })
  const cards = Array.from({ length: 30 }, (_, at) => ({
    ...row(at + 1),
    hp: at * 10,
    crew_size: at % 4,
    traits: at % 2 === 0 ? ['Sea'] : ['Land', 'Sky'],
    type_code: at % 3 === 0 ? 'ship' : 'port',
    is_foil: at % 2 === 0,
    flavor_words: `Said once ${at}`
  }))
  const folder = folderWith(t, { 'cards.json': cards })
  const before = readFileSync(join(home, 'corpora/attributes/entries.yaml'), 'utf8')
  const { code, stderr } = await proposed(folder, '--root', home)
  t.equal(code, 0, stderr)
  const { reader } = parse(readFileSync(join(home, 'corpora/sources/entries/a-new-one.yaml'), 'utf8')) as DeclaredSource
  t.same(reader?.map.attributes, {
    life: { path: 'card.hp', transform: ['integer'] },
    crew_size: { path: 'card.crew_size', transform: ['integer'] },
    traits: 'card.traits',
    category: 'card.type_code'
  })
  const after = readFileSync(join(home, 'corpora/attributes/entries.yaml'), 'utf8').split('\n')
  t.same(
    after.filter(line => !before.split('\n').includes(line)),
    [
      ...before
        .split('\n')
        .filter(line => line.startsWith('- { name: life,'))
        .map(line => line.replace('whc]', 'whc, zzz]')),
      "- { name: crew_size, types: [integer], most: 99, games: [zzz], meaning: 'What the upstream calls `crew_size`.' }",
      "- { name: traits, types: [list], games: [zzz], meaning: 'What the upstream calls `traits`.' }"
    ]
  )
  t.match(await pantry(['validate', '--root', home]), { stderr: /^(?!.*attributes).*$/s })
})

t.test('tables in other encodings', async t => {
  const table = 'id;set_code;number;name;rarity\nc1;AB1;1;Café;R\nc2;AB1;2;Ébène;C\n'
  for (const [bytes, encoding] of [
    [Buffer.from(`\ufeff${table}`, 'utf16le'), undefined],
    [Buffer.from(table, 'latin1'), 'windows-1252'],
    [Buffer.from(`\ufeff${table}`), undefined]
  ] as const) {
    const folder = folderWith(t, {})
    writeFileSync(join(folder, 'cards.csv'), bytes)
    const { source, rows } = await readAs(t, folder)
    t.equal(source.reader?.files[0]?.encoding, encoding)
    t.same(rows, [
      ['op-ab1-1-en', 'Café', null],
      ['op-ab1-2-en', 'Ébène', null]
    ])
  }
})

t.test('a package says upstream, version and license where there is no repository', async t => {
  const described = {
    name: '@some/cards',
    version: '1.2.3',
    license: 'MIT',
    repository: { type: 'git', url: 'git+https://reader:SECRET@example.com/owner/cards.git' }
  }
  const { source, stderr } = await readAs(t, folderWith(t, { ...shapes['CSV'], 'package.json': described }))
  t.same(source.upstream, { name: '@some/cards', url: 'https://example.com/owner/cards', version: '1.2.3' })
  t.match(source, { license: 'MIT', license_statement: /^The package says `MIT`/ })
  t.notMatch(stderr, 'SECRET')
})

t.test('a dry run writes nothing', async t => {
  t.equal((await database.knex('cards').select('sku')).length, 0)
})

t.test('folders of languages, with the same rows in two files and other folders beside', async t => {
  const languages = ['de', 'en', 'ja']
  const rows = (lang: string) =>
    Array.from({ length: 30 }, (_, at) => ({ label: `${lang} sign ${at}`, hexcode: `1F${100 + at}` }))
  const folder = folderWith(t, {
    ...Object.fromEntries(
      languages.flatMap((lang): [string, unknown][] => [
        [`${lang}/compact.json`, rows(lang)],
        [`${lang}/data.json`, rows(lang).map((one, at) => ({ ...one, order: at, group: at % 3 }))],
        [
          `${lang}/messages.json`,
          { groups: [{ key: 'a', message: `${lang} a`, order: 0 }], tones: [{ key: 'b', message: `${lang} b` }] }
        ]
      ])
    ),
    'meta/groups.json': { groups: { 0: 'a', 1: 'b' } },
    'versions/first.json': ['1F100', '1F101']
  })
  const { code, stdout, stderr } = await pantry([
    'new',
    'source',
    'a-new-one',
    '--from',
    folder,
    '--game',
    'op',
    '--dry-run'
  ])
  t.equal(code, 0, stderr)
  const [, text = ''] = stdout.split(/^--- corpora\/sources\/entries\/a-new-one\.yaml\n/m)
  const { source } = withPolicies(parse(text) as DeclaredSource, entriesOf('source-policies'))
  t.same(source.languages, languages)
  t.same(source.reader?.files, [{ shape: 'json', path: '{lang}/data.json' }])
  t.equal(source.reader?.tables, undefined, 'the rows of each language have its names already')
  t.match(stderr, /Files with rows that are not read: .*`en\/compact\.json`/)
  const read = []
  for await (const mapped of mappedRows(source.reader!, folder))
    read.push('sku' in mapped ? `${mapped.sku} ${mapped.row.name}` : mapped)
  t.same(
    read.sort(),
    languages
      .flatMap(lang => rows(lang).map(({ label, hexcode }) => `op-op-${hexcode.toLowerCase()}-${lang} ${label}`))
      .sort()
  )
})
