import fc from 'fast-check'
import t from 'tap'
import { renderProse } from '../../../core/format/text.ts'

const body = (data: Parameters<typeof renderProse>[2]): string =>
  renderProse('T', 'S', data).split('\n').slice(5).join('\n')

t.test('a document begins with its title and what it is', async t => {
  t.equal(
    renderProse('Opening hours', 'When the doors are open.', { monday: 'closed' }),
    'Opening hours\n=============\n\nWhen the doors are open.\n\nMonday: closed\n'
  )
})

t.test('lines come before what needs a heading of its own', async t => {
  t.equal(
    body({ rooms: { hall: 'open', attic: null }, is_open: true, is_full: false, seats: 40 }),
    'Is open: yes\nIs full: no\nSeats: 40\n\nRooms\n-----\n\nHall: open\nAttic: not given\n'
  )
})

t.test('a few short words are a sentence, longer ones and sentences a list', async t => {
  t.equal(body({ days: ['Monday', 'Tuesday', 'Friday'] }), 'Days: Monday, Tuesday and Friday\n')
  t.equal(
    body({ hall: { seats: 40, rows: 4 }, days: ['monday', 'friday'] }),
    'Days: monday and friday\n\nHall\n----\n\nSeats: 40\nRows: 4\n',
    'a line is never below the heading of another member'
  )
  t.equal(body({ days: [] }), 'Days: none\n')
  t.equal(body({ days: ['one'] }), 'Days: one\n')
  t.equal(body({ days: ['One, or two.', 'Three.'] }), 'Days (2)\n--------\n\n- One, or two.\n- Three.\n')
})

t.test('items of a list have a number and their name', async t => {
  t.equal(
    body({ books: [{ id: 'a', title: 'A book', pages: 3 }, { pages: 4 }] }),
    'Books (2)\n---------\n\n1. A book\n   Id: a\n   Pages: 3\n\n2.\n   Pages: 4\n'
  )
})

t.test('further lines of a text keep its place', async t => {
  t.equal(body({ a: { b: { c: 'one\ntwo' } } }), 'A\n-\n\nB:\n  C: one\n  two\n')
})

t.test('every word of a document is in its prose, and nothing of JSON is', async () => {
  const word = fc.stringMatching(/^[a-z]{3,9}$/)
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      word,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(word, tie('value'), { maxKeys: 4 })
    )
  }))
  const words = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(words)
  fc.assert(
    fc.property(value, value => {
      const text = renderProse('T', 'S', value as string)
      return words(value).every(word => text.includes(word)) && !/[{}"[\]]/.test(text) && !text.includes('\n\n\n')
    }),
    { numRuns: 500 }
  )
})
