import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import t from 'tap'
import { csv } from '../../../core/format/data.ts'
import type { Entry } from '../../../core/corpus/corpus.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { site } from '../../support/site.ts'

const written = (entries: readonly Entry[], columns: readonly string[]): string =>
  csv.render({
    title: 'T',
    summary: 'S',
    data: null,
    url: 'https://a.example/',
    origin: 'https://a.example',
    service: 'S',
    contact: 'a@a.example',
    since: '2026-11-20',
    site,
    path: '/list',
    list: { entries, key: 'id', roles: {}, columns, readAt: () => '' }
  })

t.test('a row of names, then a row for each entry, each ended by CR and LF', t => {
  t.equal(
    written(
      [{ id: 'a', n: -1.5, is: true, list: ['x', 'y'], gone: null, empty: '' }, { id: 'b, "c"\nd' }],
      ['id', 'n', 'is', 'list', 'gone', 'empty', 'never']
    ),
    'id,n,is,list,gone,empty,never\r\na,-1.5,true,"[""x"",""y""]",,"",\r\n"b, ""c""\nd",,,,,,\r\n'
  )
  t.equal(written([], ['id', 'n']), 'id,n\r\n')
  t.end()
})

t.test('no text is a formula, whatever a spreadsheet takes for one; numbers stay numbers', t => {
  for (const text of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠a',
    ' =1',
    '\u00a0=1',
    '\ufeff=1',
    '\u200b=1',
    '\u0000=1',
    '\u000b=1',
    '﹣1'
  ])
    t.match(written([{ id: text }], ['id']).slice(4), /^"?'/, JSON.stringify(text))
  t.equal(written([{ id: -1 }], ['id']), 'id\r\n-1\r\n')
  t.end()
})

/** What a spreadsheet would run, as the rule is said: a text that has nothing to see before a sign of a formula. */
const runs = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠﹢﹣])/u

t.test('a reader of CSV finds every text again, behind an apostrophe where a spreadsheet would run it', t => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.constantFrom('', '"', '""', ',', '\r\n', ' a ', '=cmd|x', '-', '\ud800')
  )
  fc.assert(
    fc.property(fc.array(fc.record({ id: text, note: text }), { maxLength: 5 }), entries => {
      const rows = parse(written(entries, ['id', 'note']), { record_delimiter: '\r\n', relax_column_count: false })
      t.same(
        rows.slice(1).flat(),
        entries
          .flatMap(({ id, note }) => [id.toWellFormed(), note.toWellFormed()])
          .map(text => (runs.test(text) ? `'${text}` : text))
      )
    }),
    {
      examples: [
        [
          [
            { id: '\u200b=1', note: '\u{10fffd} ﹢1' },
            { id: "'=1", note: ' =1' }
          ]
        ]
      ]
    }
  )
  t.end()
})
