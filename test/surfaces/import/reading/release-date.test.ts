import fc from 'fast-check'
import t from 'tap'
import { releaseDate } from '../../../../surfaces/import/reading/kept-values.ts'

t.test('the forms that upstreams write', t => {
  for (const text of [
    '1999-01-09',
    '1999/01/09',
    '19990109',
    '1999-01-09T00:00:00.000Z',
    '1999-01-09 12:00',
    '1999-1-9',
    '1999.1.9',
    '09.01.1999',
    '9. 1. 1999',
    'January 9, 1999',
    'Jan 9 1999',
    '9 January 1999',
    '9th Jan. 1999',
    '1999年1月9日'
  ]) {
    t.same(releaseDate(text), { on: '1999-01-09', note: null }, text)
  }
  t.same(releaseDate(19990109), { on: '1999-01-09', note: null })
  t.end()
})

t.test('what is no day of the calendar is a note', t => {
  for (const text of [
    '0000-00-00',
    '2023-02-29',
    '2024-13-01',
    '1999-01/09',
    'soon',
    '2024',
    '13/05/2024',
    'Smarch 13, 2024',
    '31.02.2024',
    '1999-01-09x',
    '20240101 and later'
  ]) {
    const { on, note } = releaseDate(text)
    t.equal(on, text === '20240101 and later' ? '2024-01-01' : null, text)
    t.equal(note, on === null ? text : null)
  }
  t.end()
})

t.test('nothing is neither', t => {
  for (const value of [null, '', '  ', [], {}]) t.same(releaseDate(value), { on: null, note: null })
  t.end()
})

t.test('every day since 1900 reads back', t => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2999-12-31T00:00:00Z'), noInvalidDate: true }),
      date => {
        const day = date.toISOString().slice(0, 10)
        return releaseDate(day).on === day && releaseDate(day.replaceAll('-', '')).on === day
      }
    )
  )
  t.end()
})
