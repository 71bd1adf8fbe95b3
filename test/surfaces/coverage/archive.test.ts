import fc from 'fast-check'
import t from 'tap'
import {
  asWhole,
  byDay,
  snapshotsOf,
  tally,
  type Archive,
  type Pattern,
  type Sighting,
  type Snapshot
} from '../../../surfaces/coverage/archive.ts'
import { daysLater } from '../../../surfaces/common/calendar.ts'

const sourceNames = ['a', 'b', 'c']
const runCount = 12

/** Runs in order of time: which source, on which day. */
const runs = fc
  .array(fc.record({ source: fc.constantFrom(...sourceNames), step: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 1,
    maxLength: runCount
  })
  .map(list => {
    let day = '2026-01-30'
    return list.map(({ source, step }, index) => {
      day = daysLater(day, step)
      return { id: index + 1, source, day }
    })
  })
type Run = { id: number; source: string; day: string }

const cards = fc.array(
  fc.record({
    game: fc.constantFrom('x', 'y'),
    count: fc.integer({ min: 1, max: 5 }),
    /** The runs that saw the card. */
    seen: fc.uniqueArray(fc.integer({ min: 1, max: runCount }), { minLength: 1 })
  }),
  { minLength: 1, maxLength: 8 }
)
type Card = { game: string; count: number; seen: number[] }

/** Sightings as an import would write them for one row of each source. */
const sightingsOf = (card: Card, all: readonly Run[]): Sighting[] =>
  sourceNames.flatMap(source => {
    const sightings: [string, number, number | null][] = []
    for (const { id } of all.filter(run => run.source === source)) {
      const last = sightings.at(-1)
      const isOpen = last?.[2] === null
      if (card.seen.includes(id) && !isOpen) sightings.push([source, id, null])
      if (!card.seen.includes(id) && last !== undefined && isOpen) last[2] = id
    }
    return sightings
  })

const snapshots = (all: readonly Run[]): Snapshot[] =>
  sourceNames.flatMap(source =>
    [...new Set(all.map(({ day }) => day))].sort().flatMap(day => {
      const ids = all.filter(run => run.source === source && run.day === day).map(({ id }) => id)
      return ids.length === 0
        ? []
        : [
            {
              source,
              day,
              first: Math.min(...ids),
              last: Math.max(...ids),
              finished_at: `${day}T00:00:00.000Z`,
              unassigned: 0
            }
          ]
    })
  )

const archiveOf = (all: readonly Run[], given: readonly Card[]): Archive => ({
  snapshots: snapshots(all),
  patterns: given.map((card): Pattern => ({ game: card.game, cards: card.count, sightings: sightingsOf(card, all) }))
})

/** The same counts, row by row. */
function slowly(
  all: readonly Run[],
  given: readonly Card[],
  keyOf: (game: string, source: string, day: string) => string
): Map<string, { observations: number; cards: number; first: string; last: string }> {
  const found = new Map<string, { observed: Set<string>; cards: Set<string>; days: string[] }>()
  for (const [index, { game, count, seen }] of given.entries()) {
    for (let copy = 0; copy < count; copy += 1) {
      for (const { source, day } of all.filter(({ id }) => seen.includes(id))) {
        const key = keyOf(game, source, day)
        const entry = found.get(key) ?? { observed: new Set(), cards: new Set(), days: [] }
        found.set(key, entry)
        entry.observed.add(`${index} ${copy} ${source} ${day}`)
        entry.cards.add(`${index} ${copy}`)
        entry.days.push(day)
      }
    }
  }
  return new Map(
    [...found].map(([key, { observed, cards: distinct, days }]) => [
      key,
      { observations: observed.size, cards: distinct.size, first: days.sort()[0]!, last: days.at(-1)! }
    ])
  )
}

const plainly = (tallies: ReturnType<typeof tally>) =>
  new Map(
    [...tallies].map(([key, { observations, cards: distinct, first, last }]) => [
      key,
      { observations, cards: distinct, first, last }
    ])
  )

t.test('tallies equal a count row by row, by any key, over wholes and over days', t => {
  fc.assert(
    fc.property(runs, cards, (all, given) => {
      const archive = archiveOf(all, given)
      t.same(
        plainly(tally(archive, asWhole, () => '')),
        slowly(all, given, () => '')
      )
      t.same(
        plainly(tally(archive, asWhole, game => game)),
        slowly(all, given, game => game)
      )
      t.same(
        plainly(tally(archive, asWhole, (_game, { source }) => source)),
        slowly(all, given, (_game, source) => source)
      )
      t.same(
        plainly(tally(archive, asWhole, (game, { source }) => `${game} ${source}`)),
        slowly(all, given, (game, source) => `${game} ${source}`)
      )
      t.same(
        plainly(tally(archive, byDay, (_game, { first }) => first)),
        slowly(all, given, (_game, _source, day) => day)
      )
    }),
    { numRuns: 200 }
  )
  t.end()
})

t.test('a card was observed on the days of which a run saw it, also when others of the day did not', t => {
  fc.assert(
    fc.property(runs, cards, (all, given) => {
      const archive = archiveOf(all, given)
      const find = snapshotsOf(archive)
      return given.every((card, index) => {
        const days = find(archive.patterns[index]!)
          .flat()
          .map(({ source, day }) => `${source} ${day}`)
        const seen = new Set(
          all.filter(({ id }) => card.seen.includes(id)).map(({ source, day }) => `${source} ${day}`)
        )
        return days.length === seen.size && days.every(day => seen.has(day))
      })
    })
  )
  t.end()
})
