import t from 'tap'
import { isMet, median, requestFigures } from './bench/figures.ts'
import { picture } from './bench/picture.ts'
import { recorded, recordText, type Recorded } from './bench/record.ts'
import type { Sample } from './bench/rounds.ts'
import { scenarios, servers, type Scenario } from './bench/scenarios.ts'
import { keyIn, linkFor, linkTemplate } from './bench/sample.ts'
import { figureTable } from './bench/table.ts'

const sample = (server: number, more: Partial<Sample> = {}): Sample => ({
  server,
  database: 5,
  perSecond: 1000,
  utilisation: 0.9,
  requests: 100,
  wrong: 0,
  isDirty: false,
  repeated: 0,
  ...more
})
const asked: Scenario = {
  name: 'some',
  about: 'something <asked>',
  path: '/some',
  budget: 30,
  beside: [
    { to: 'node', least: 0.9 },
    { to: 'fastify', least: 3 },
    { to: 'large', most: 1.1 }
  ]
}
const rounds = {
  some: {
    pantry: [sample(20), sample(40), sample(10, { isDirty: true, repeated: 3 })],
    node: [sample(20), sample(30), sample(10)],
    fastify: [sample(50), sample(100), sample(40)],
    large: [sample(21), sample(43), sample(11)]
  }
}

t.test('a ratio is made inside a round: the processor time of the other by that of Pantry', t => {
  const [node, fastify, large, cost] = requestFigures([asked], rounds)
  t.strictSame(
    [node?.values, fastify?.values, large?.values],
    [
      [1, 0.75, 1],
      [2.5, 2.5, 4],
      [1.05, 1.075, 1.1]
    ]
  )
  t.strictSame(
    [node, fastify, large, cost].map(figure => isMet(figure ?? { values: [] })),
    [true, false, true, true]
  )
  t.strictSame(cost?.values, [25, 45, 15], 'server and database')
  t.match(fastify?.details, { pantry: 20, other: 50, dirty: 1, repeated: 3, wrong: 0 })
  t.end()
})

t.test('a candidate links to what was asked for: its path, and other paths with its key', t => {
  const link = '</api/cards/op-1>; rel="self", </product/op-1>; rel="alternate", </spec>; rel="describedby"'
  t.equal(linkFor(linkTemplate(link, '/api/cards/op-1'), '/api/cards/fab-2'), link.replaceAll('op-1', 'fab-2'))
  t.equal(
    linkFor(linkTemplate('</sets/a?game=op>; rel="self"', '/sets/a?game=op'), '/sets/b?game=fab'),
    '</sets/b?game=fab>; rel="self"'
  )
  t.strictSame(['/a/b', '/a/b?q=1/2', '/', ''].map(keyIn), ['b', 'b', '', ''])
  t.end()
})

t.test('the median of an even number is between the middle two', t => {
  t.strictSame([[3, 1, 2], [4, 1, 3, 2], [7]].map(median), [2, 2.5, 7])
  t.end()
})

t.test('a line of the table says scenario, figure, goal, spread, whether it is met, and how it came about', t => {
  const [head = '', ...lines] = figureTable(requestFigures([asked], rounds))
    .split('\n')
    .map(line => line.split(/ {2,}/))
  t.strictSame(head, [
    'scenario',
    'figure',
    'goal',
    'median [min..max]',
    'met',
    'pantry / other, database, utilisation'
  ])
  t.strictSame(lines[1], [
    'some',
    'x fastify',
    '>= 3.00',
    '2.50 [2.50..4.00]',
    'NO',
    '20.0 / 50.0 us, database 5 us, server 90 %, 1 of 3 dirty, 3 repeated'
  ])
  t.strictSame(lines[3]?.slice(0, 5), ['some', 'server + database, us', '<= 30', '25 [15..45]', 'yes'])
  t.end()
})

t.test('what is written is read again, and draws the same picture', t => {
  const run = recorded(requestFigures([asked], rounds), 3)
  const again = JSON.parse(recordText(run)) as Recorded
  t.strictSame(again, run)
  t.equal(picture(again), picture(run))
  t.match(
    picture(run),
    /<title id="title">[^]*<desc id="desc">something &#60;asked&#62;: 1\.00 of bare node:http; [^]*prefers-color-scheme: dark/
  )
  t.equal(picture(run).match(/class="goal"/g)?.length, 2)
  t.end()
})

t.test('every comparison is with a server that is started or with another scenario', t => {
  const names = scenarios.map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  const known = new Set<string>([...servers, ...names.map(name => `own ${name}`)])
  t.strictSame(
    scenarios.flatMap(({ beside = [] }) => beside.map(({ to }) => to)).filter(to => !known.has(to)),
    []
  )
  t.end()
})
