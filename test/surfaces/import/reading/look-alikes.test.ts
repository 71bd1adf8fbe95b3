// test: slow.
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { JsonValue } from '../../../../core/canonical/json.ts'
import { checkDeclaration } from '../../../../surfaces/import/checks/check-source.ts'
import { DataError } from '../../../../surfaces/import/data-error.ts'
import type { ImportSummary } from '../../../../surfaces/import/import.ts'
import { runsText } from '../../../../surfaces/import/command.ts'
import { rowsOf } from '../../../../surfaces/import/reading/read-source.ts'
import { placed } from '../../../../surfaces/import/reading/files.ts'
import type { Exception, Source } from '../../../../surfaces/import/source.ts'
import { saysMoney, withheldByForm } from '../../../../surfaces/import/withheld.ts'
import { importSource } from '../../../../surfaces/importer.ts'
import { metaOf } from '../../../../surfaces/sources/meta.ts'
import { cardFolder, withoutCards } from '../../../support/card-folder.ts'
import { testDatabase } from '../../../support/database.ts'
import { scratchFolder } from '../../../support/scratch.ts'
import { declaredSources } from '../bundled-sources.ts'
import { plain, writeRows, type Row } from '../rows-on-disk.ts'

const { database } = await testDatabase(t)
const reason = 'The card is called so; nobody pays it.'

/** The `plain` source with exceptions, and with other places of its fields. */
function sourceWith(
  exceptions: readonly Exception[] = [],
  map: Partial<NonNullable<Source['reader']>['map']> = {}
): Source {
  const source = plain()
  return {
    ...source,
    reader: {
      ...source.reader!,
      map: { ...source.reader!.map, ...map },
      ...(exceptions.length === 0 ? {} : { exceptions })
    }
  }
}
const load = async (t: Test, source: Source, rows: readonly Row[]): Promise<ImportSummary> =>
  await importSource(database, source, { folder: writeRows(scratchFolder(t), rows), allowWithdraw: 10_000 })
const rowsNamed = (count: number, nameOf: (at: number) => string): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: `c${at}`, number: `${at}`, name: nameOf(at) }))
const held = async (): Promise<unknown[]> =>
  (await database.bulk.raw<{ rows: { name: string }[] }>('select name from cards order by name collate "C"')).rows.map(
    ({ name }) => name
  )

t.test('no id of the form of a UUID, a hash or a hex id looks like a price', t => {
  const wrong = Array.from({ length: 10_000 }, () => [
    randomUUID(),
    ...[4, 8, 12, 16, 20, 32, 64].map(bytes => randomBytes(bytes).toString('hex'))
  ])
    .flat()
    .concat('1234cad5', '12345cad', 'cad12345', '0005cad0-3cad-4cad', '12345cad_0005cad0')
    .filter(id => withheldByForm(id, { isId: true }) !== undefined)
  t.same(wrong, [])
  t.end()
})

t.test('a source of UUIDs is imported whole', async t => {
  const ids = [
    'c9a85357-3cad-4a1e-805b-ea4146d8b05f',
    'b7667345-e11b-4cad-ac4c-84eb1c5656c5',
    'cad40060-02a3-4044-9006-2c36f3d78e16',
    ...Array.from({ length: 1997 }, () => randomUUID())
  ]
  const run = await load(
    t,
    plain(),
    ids.map((id, at) => ({ id, number: `${at}`, name: 'Tide' }))
  )
  t.match(run, { written: 2000, quarantined: 0, look_alikes: [] })
})

const names = [
  'Rebuild of Evangelion 3.33',
  'EVANGELION:2.22 YOU CAN (NOT) ADVANCE.',
  '1,000,000 Yen',
  '$100 Bill',
  '1.21 Gigawatts',
  'Ver.1.05',
  'Mr.It'
]

t.test(
  'of thousands of rows those that look like a price are left out and listed, and nothing of them is stored',
  async t => {
    const run = await load(
      t,
      plain(),
      rowsNamed(2000, at => names[at] ?? 'Tide')
    )
    t.match(run, { written: 1993, quarantined: 7 })
    t.match(run.look_alikes, [
      {
        field: 'name',
        form: 'a price',
        rows: 6,
        first: names.slice(0, 6).map((value, at) => ({ row: `c${at}`, value }))
      },
      { field: 'name', form: 'a link', rows: 1, first: [{ row: 'c6', value: 'Mr.It' }] }
    ])
    const text = runsText([run])
    for (const name of names) t.ok(text.includes(name), `${name} is listed`)
    for (const table of ['quarantine', 'cards', 'observations', 'runs']) {
      const { rows } = await database.bulk.raw<{ rows: unknown[] }>(
        'select x::text from ?? x where strpos(x::text, ?) > 0 or strpos(x::text, ?) > 0',
        [table, 'Gigawatts', 'Mr.It']
      )
      t.same(rows, [], table)
    }
  }
)

t.test('they are kept where the source declares that they are none, with a reason that is published', async t => {
  const exceptions: Exception[] = [
    { field: 'name', form: 'price', reason },
    { field: 'name', form: 'link', reason }
  ]
  t.same(
    checkDeclaration(sourceWith(exceptions), () => true),
    []
  )
  const run = await load(
    t,
    sourceWith(exceptions),
    rowsNamed(20, at => names[at] ?? `Tide ${at}`)
  )
  t.match(run, { written: 20, quarantined: 0, look_alikes: [] })
  const kept = await held()
  for (const name of names) t.ok(kept.includes(name), name)
  t.same(metaOf(sourceWith(exceptions)).exceptions, exceptions)
  const other = await load(
    t,
    sourceWith([{ field: 'name', form: 'price', reason }]),
    rowsNamed(200, at => (at === 0 ? 'Mr.It' : at === 1 ? '2.22' : 'Tide'))
  )
  t.match(other.look_alikes, [{ form: 'a link', rows: 1 }], 'an exception is for one form')
  t.ok((await held()).includes('2.22'))
})

t.test(
  'a field with many of them stops the import: the message shows value and row, and no exception changes it',
  async t => {
    const stopped = async (source: Source, rows: readonly Row[]): Promise<readonly string[]> =>
      await load(t, source, rows).then(
        () => [],
        (error: unknown) => {
          if (!(error instanceof DataError)) throw error
          return error.problems.map(({ message }) => message)
        }
      )
    const prices = rowsNamed(200, at => `${at}.${(at % 90) + 10}`)
    t.same(await stopped(plain(), prices), ['`name` holds a price in 200 of 200 rows, first `0.10` in `c0`.'])
    t.same(
      await stopped(
        plain(),
        rowsNamed(100, at => (at < 2 ? '$3.50\u001b[31m' : 'Tide'))
      ),
      ['`name` holds a price in 2 of 100 rows, first `$3.50\ufffd[31m` in `c0`.']
    )
    t.same(await stopped(plain(), [{ id: '$12', name: 'Tide' }]), [
      '`native_id` holds a price in 1 of 1 row, first `$12` in `row 1`.'
    ])
    const excepted = sourceWith([{ field: 'name', form: 'price', reason }])
    t.same(await stopped(excepted, prices), [
      '200 of 200 values of `name` are let through by exceptions, so what the upstream has there are prices or links.'
    ])
    t.same(
      await stopped(
        excepted,
        rowsNamed(3, () => 'Rebuild of Evangelion 3.33')
      ),
      [],
      'one name of all may be'
    )
  }
)

t.test(
  'an exception is refused for a field that nothing declares, and for one whose name says price, value or market',
  t => {
    const check = (field: string, map: Parameters<typeof sourceWith>[1]): readonly string[] =>
      checkDeclaration(sourceWith([{ field, form: 'price', reason }], map), () => true)
        .filter(({ pointer }) => pointer.includes('exceptions'))
        .map(({ message }) => message)
    t.same(check('title', {}), ['The reader declares no field `title`.'])
    for (const name of [
      'price',
      'marketPrice',
      'value',
      'card_value',
      'Market',
      'tcgplayer',
      'usd',
      'prices.low',
      'amount',
      'ｖａｌｕｅ'
    ]) {
      for (const expression of [
        `row.${name}`,
        { path: `row.${name}`, pattern: '(?<a>.+)', group: 'a' },
        { first: ['row.name', `row.${name}`] },
        { join: [{ path: `row.${name}` }], with: '' }
      ]) {
        t.match(
          check('name', { name: expression }),
          [/^No exception lets a price into `name`: /],
          `${name} as ${JSON.stringify(expression)}`
        )
      }
    }
    t.same(check('name', { name: { path: 'row.stats', where: { name: 'x' }, take: 'value' } }).length, 1)
    t.same(check('attributes.value', { attributes: { value: 'row.x' } }).length, 1)
    t.same(check('name', { name: 'row.title' }), [])
    t.end()
  }
)

/** Every scalar below a value, by the names that lead to it. */
function* scalarsOf(
  value: JsonValue,
  names: readonly string[]
): Generator<readonly [names: readonly string[], value: JsonValue]> {
  if (Array.isArray(value)) for (const member of value as readonly JsonValue[]) yield* scalarsOf(member, names)
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) yield* scalarsOf(member, [...names, name])
  else if (value !== null && value !== '') yield [names, value]
}

t.test(
  'the price columns of real sources, each declared as a name, are refused: by their names, and by their values under another name',
  { skip: withoutCards },
  async t => {
    let columns = 0
    for (const { reader, ...source } of [...declaredSources().values()].filter(({ where }) => where === 'folder')) {
      const loop = reader!.rows[0].as
      const found = new Map<string, { names: readonly string[]; values: JsonValue[] }>()
      for await (const { rows } of rowsOf(join(cardFolder!, source.id), placed(reader!.files, 'reader', 'files'), [
        { as: loop }
      ])) {
        for (const { scope } of rows) {
          for (const [names, value] of scalarsOf(scope[loop] ?? null, [])) {
            if (!names.some(name => /price|market/i.test(name))) continue
            const key = JSON.stringify(names)
            const one = found.get(key) ?? { names, values: [] }
            found.set(key, one)
            one.values.push(value)
          }
        }
      }
      for (const { names, values } of found.values()) {
        columns++
        const path = [loop, ...names]
        const title = `${source.id}: ${path.join('.')}`
        const declared: Source = {
          ...source,
          reader: {
            ...reader!,
            map: { ...reader!.map, name: { path } },
            exceptions: [{ field: 'name', form: 'price', reason }]
          }
        }
        t.ok(names.some(saysMoney), title)
        t.match(
          checkDeclaration(
            { ...declared, reader: { ...reader!, map: { ...reader!.map, name: { path } } } },
            () => true
          ).map(({ pointer }) => pointer.slice(0, 3)),
          [['reader', 'map', 'name']],
          title
        )
        t.ok(
          checkDeclaration(declared, () => true).some(({ pointer }) => pointer.includes('exceptions')),
          `${title} takes no exception`
        )
        const rows = values.map((name, at): Row => ({ id: `c${at}`, number: `${at}`, name: name as string }))
        for (const one of [plain(), sourceWith([{ field: 'name', form: 'price', reason }])])
          t.ok(
            await load(t, one, rows).then(
              () => false,
              (error: unknown) => error instanceof DataError
            ),
            `${title} under another name`
          )
      }
    }
    t.ok(columns > 0, `${columns} columns`)
  }
)
