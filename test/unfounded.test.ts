import t from 'tap'
import { escapeXml } from '../core/format/format.ts'
import { unfounded } from './support/unfounded.ts'

const data = {
  name: 'Zoro & co',
  count: 45,
  cards: [
    { id: 'a', rarity: 'L' },
    { id: 'b', rarity: 'R' },
    { id: 'c', rarity: 'R' }
  ],
  at: '2026-11-23',
  words: { en: 'x' },
  state: 'open'
}
type Data = typeof data

const problemsOf = (write: (data: Data) => string): readonly string[] =>
  unfounded(data, one => write(one as Data)).problems
const cell = (text: string | number): string => `<dl><dd>${escapeXml(String(text))}</dd></dl>`

t.test('what comes from the data is found by what it changes with', t => {
  const from = (write: (data: Data) => string): readonly (readonly string[])[] =>
    unfounded(data, one => write(one as Data)).trace.texts.map(({ from, exact }) =>
      [...from].map(place => (exact ? `= ${place}` : place))
    )
  t.same(
    from(({ name, count }) => `<main>${cell(name)}${cell(count)}<p>${escapeXml(`of ${name}`)}</p></main>`),
    [['= .name'], ['.count'], ['= .name']]
  )
  t.same(
    from(({ at, cards }) => `<main>${cell(at)}${cell(cards.length)}</main>`),
    [['.at'], ['.cards#']]
  )
  t.same(
    from(({ words }) => cell(Object.keys(words).join())),
    [['= .words{}']]
  )
  t.same(
    from(({ cards }) => cell(cards.filter(({ rarity }) => rarity.startsWith('L')).length)),
    [['.cards[].id']],
    'a count by a member, once there are more'
  )
  t.same(
    from(
      ({ cards, name }) =>
        `<table><tbody>${cards.map(({ id }) => `<tr><th scope="row">${escapeXml(id)}</th></tr>`).join('')}</tbody></table>${cell(name)}`
    ).at(-1),
    ['= .name'],
    'also after rows that were left out'
  )
  t.end()
})

t.test('a page that says what its data says, in words of its own, is fine', t => {
  t.same(
    problemsOf(
      ({ name, count, cards, state }) =>
        `<main>${[name, count, cards.length, `${count} of ${count}`, state === 'open' ? 'yes' : 'no', 'not given'].map(cell).join('')}<p>As RFC 8785 says, in 30 days.</p></main>`
    ),
    []
  )
  t.end()
})

t.test('what comes from elsewhere is told', t => {
  t.match(
    problemsOf(() => cell('45')),
    [/`45` in <dd> is the same for any data/]
  )
  t.match(
    problemsOf(() => cell('Zoro & co')),
    [/comes from elsewhere/]
  )
  t.match(
    problemsOf(({ count }) => cell(count + 1)),
    [/46 is not in the data/]
  )
  t.match(
    problemsOf(() => '<p>There are 31,446 cards.</p>'),
    [/31,446.* is the same for any data/]
  )
  t.end()
})

t.test('a text that becomes an element or an attribute is told', t => {
  t.match(
    problemsOf(({ name }) => `<p>${name.replace('& ', '')}</p>`),
    [/\.name: .* is not text/]
  )
  t.match(
    problemsOf(({ name }) => `<p>${name.replace(/.*(?=<x-sign)/, '')}</p>`),
    [/\.name: <x-sign> is not text/]
  )
  t.match(
    problemsOf(({ name }) => `<p title="${name}">x</p>`),
    [/\.name: .* is not text/]
  )
  t.end()
})
