import fc from 'fast-check'
import t from 'tap'
import { chooseStandby, primariesOf, type Said, type Standing } from '../../../core/database/standing.ts'

const primary = (name: string, timeline = 1): Standing => ({
  name,
  said: { isStandby: false, position: 100, timeline, replayedAt: null }
})
const standby = (name: string, position: number, replayedAt: number | null = null): Standing => ({
  name,
  said: { isStandby: true, position, timeline: null, replayedAt }
})
const away = (name: string): Standing => ({ name, said: undefined })
const marks = [
  { at: 1_000, position: 10 },
  { at: 2_000, position: 20 },
  { at: 3_000, position: 30 }
]
const rules = { since: 2_000, hasPrimary: true, marks, current: undefined }

t.test('the primary is the server that takes writes; of two the one that was promoted last', t => {
  t.same(primariesOf([standby('a', 1), primary('b'), away('c')]), ['b'])
  t.same(primariesOf([primary('old', 3), primary('new', 4)]), ['new', 'old'])
  t.same(primariesOf([standby('a', 1), away('b')]), [])
  t.end()
})

t.test('a standby is read when it has passed a mark that is new enough, also while nothing is written', t => {
  t.strictSame(chooseStandby([standby('behind', 19), standby('good', 25)], rules), { name: 'good', knownUntil: 2_000 })
  t.equal(chooseStandby([standby('behind', 19), primary('p'), away('x')], rules), undefined, 'the primary is read')
  t.equal(chooseStandby([standby('behind', 19, 9_000)], rules), undefined, 'its own word does not count beside marks')
  t.strictSame(chooseStandby([standby('quiet', 30)], { ...rules, marks: [...marks, { at: 9_000, position: 30 }] }), {
    name: 'quiet',
    knownUntil: 9_000
  })
  t.end()
})

t.test('reads stay where they are as long as that is good enough', t => {
  const servers = [standby('one', 25), standby('two', 30)]
  t.equal(chooseStandby(servers, rules)?.name, 'two')
  t.equal(chooseStandby(servers, { ...rules, current: 'one' })?.name, 'one')
  t.equal(chooseStandby(servers, { ...rules, since: 3_000, current: 'one' })?.name, 'two')
  t.end()
})

t.test('without a primary the standby that has come farthest is read, however old', t => {
  const alone = { ...rules, since: 99_000, hasPrimary: false }
  t.strictSame(chooseStandby([standby('one', 15), standby('two', 25)], { ...alone, current: 'one' }), {
    name: 'two',
    knownUntil: 2_000
  })
  t.strictSame(chooseStandby([standby('one', 5, 500)], { ...alone, marks: [] }), { name: 'one', knownUntil: 500 })
  t.equal(
    chooseStandby([standby('unknown', 5)], { ...alone, marks: [] }),
    undefined,
    'nothing could be said of its age'
  )
  t.equal(chooseStandby([away('one')], alone), undefined)
  t.end()
})

const said: fc.Arbitrary<Said> = fc.record({
  isStandby: fc.boolean(),
  position: fc.nat(50),
  timeline: fc.constant(1),
  replayedAt: fc.option(fc.nat(5_000))
})
const servers = fc
  .array(fc.option(said, { nil: undefined }), { maxLength: 4 })
  .map(list => list.map((one, at): Standing => ({ name: `s${at}`, said: one })))
const steps = fc
  .array(fc.record({ at: fc.nat(1_000), position: fc.nat(10) }), { maxLength: 5 })
  .map(list =>
    list.reduce<{ at: number; position: number }[]>(
      (all, { at, position }) => [
        ...all,
        { at: (all.at(-1)?.at ?? 0) + at, position: (all.at(-1)?.position ?? 0) + position }
      ],
      []
    )
  )

t.test('whatever the servers say: what is read is a standby that answers and knows no less than it says', t => {
  fc.assert(
    fc.property(servers, steps, fc.nat(5_000), fc.boolean(), (all, given, since, hasPrimary) => {
      const chosen = chooseStandby(all, { since, hasPrimary, marks: given, current: 's1' })
      if (chosen === undefined) return true
      const found = all.find(({ name }) => name === chosen.name)?.said
      const proven = given.some(({ at, position }) => at === chosen.knownUntil && position <= (found?.position ?? -1))
      return (
        found?.isStandby === true &&
        (hasPrimary ? proven && chosen.knownUntil >= since : proven || found.replayedAt === chosen.knownUntil)
      )
    })
  )
  t.end()
})
