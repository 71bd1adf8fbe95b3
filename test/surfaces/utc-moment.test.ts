import fc from 'fast-check'
import t from 'tap'
import { utcMoment } from '../../surfaces/common/calendar.ts'

t.test('a moment is written in UTC, with milliseconds', t => {
  const cases: Record<string, string> = {
    '2026-11-20T12:00:00Z': '2026-11-20T12:00:00.000Z',
    '2026-11-20t12:00:00z': '2026-11-20T12:00:00.000Z',
    '2026-11-20T13:30:00+01:30': '2026-11-20T12:00:00.000Z',
    '2026-11-20T00:30:00-23:59': '2026-11-21T00:29:00.000Z',
    '2026-11-20T12:00:00-00:00': '2026-11-20T12:00:00.000Z',
    '2026-11-20T12:00:00.1Z': '2026-11-20T12:00:00.100Z',
    '2026-11-20T12:00:00.123456789Z': '2026-11-20T12:00:00.123Z',
    '2026-11-20T23:59:59.999999999Z': '2026-11-20T23:59:59.999Z',
    '2024-02-29T00:00:00Z': '2024-02-29T00:00:00.000Z',
    '2000-02-29T00:00:00Z': '2000-02-29T00:00:00.000Z',
    '0099-12-31T00:00:00Z': '0099-12-31T00:00:00.000Z'
  }
  for (const [given, wanted] of Object.entries(cases)) t.equal(utcMoment(given), wanted, given)
  t.end()
})

t.test('the year counts in UTC, at both ends', t => {
  t.equal(utcMoment('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00.000Z')
  t.equal(utcMoment('0001-01-01T00:00:00+00:01'), undefined)
  t.equal(utcMoment('0000-12-31T23:59:00-00:01'), '0001-01-01T00:00:00.000Z')
  t.equal(utcMoment('0000-12-31T23:59:59Z'), undefined)
  t.equal(utcMoment('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z')
  t.equal(utcMoment('9999-12-31T23:59:59-00:01'), undefined)
  t.end()
})

t.test('what is no moment is none', t => {
  for (const text of [
    '',
    '2026-11-20',
    '2026-11-20T12:00:00',
    '2026-11-20 12:00:00Z',
    '2026-11-20T12:00Z',
    '2026-11-20T12:00:00+0100',
    '2026-11-20T12:00:00+1:00',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+00:60',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.1234567890Z',
    '+002026-01-01T00:00:00Z',
    '-0001-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z ',
    '٢٠٢٦-01-01T00:00:00Z',
    '1700000000'
  ])
    t.equal(utcMoment(text), undefined, text)
  t.end()
})

t.test('every moment of the nine thousand years comes back as itself', t => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0001-01-01T00:00:00.000Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true
      }),
      date => utcMoment(date.toISOString()) === date.toISOString()
    )
  )
  t.end()
})
