import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../bin/project.ts'
import { picture } from './bench/picture.ts'
import { benchDigests } from '../bin/release/bench-record.ts'
import { runText, type Recorded } from './bench/record.ts'
import { scenarios } from './bench/scenarios.ts'

const read = (file: string): string => readFileSync(join(packageFolder, file), 'utf8')
const run = JSON.parse(read('docs/bench.json')) as Recorded

t.test('the picture that the README shows is drawn from the recorded run', t => {
  t.equal(read('docs/bench.svg'), picture(run))
  const readme = read('README.md')
  t.match(readme, '](docs/bench.svg)')
  t.ok(readme.includes(runText(run)), 'and says when and where it was, and of which commit')
  t.end()
})

t.test('the recorded run is one of the bench, the candidates and the scenarios of today', t => {
  t.equal(run.bench, benchDigests().bench, 'record it again: npm run bench -- --record')
  t.strictSame(
    scenarios.map(({ name }) => name).filter(name => !run.scenarios.includes(name)),
    [],
    'no scenario is missing'
  )
  t.match(run.commit, /^[0-9a-f]{12}$/)
  t.end()
})

t.test('the recorded run is whole: every comparison with bare Node and Fastify, in at least seven rounds', t => {
  t.ok(run.rounds >= 7)
  const found = new Set(
    run.figures
      .filter(({ values }) => values.length === run.rounds && values.every(value => value > 0))
      .map(({ scenario, of }) => `${scenario} ${of}`)
  )
  const wanted = scenarios.flatMap(({ name, beside = [] }) =>
    beside.filter(({ to }) => to === 'node' || to === 'fastify').map(({ to }) => `${name} ${to}`)
  )
  t.strictSame(
    wanted.filter(name => !found.has(name)),
    []
  )
  t.strictSame(
    run.figures.filter(({ details }) => (details?.wrong ?? 0) > 0).map(({ scenario }) => scenario),
    [],
    'and no answer was a wrong one'
  )
  t.end()
})
