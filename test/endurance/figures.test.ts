import t from 'tap'
import { plot } from '../support/plot.ts'
import { registryOf } from '../support/registry.ts'
import { Dice } from '../support/malformed.ts'
import { Failures, median, quantile, slope } from './figures.ts'
import { examplesOf, hostileRequest } from './requests.ts'

t.test('medians, quantiles and the slope of noisy points', t => {
  t.equal(median([3, 1, 2]), 2)
  t.equal(
    quantile(
      Array.from({ length: 100 }, (_, at) => at),
      0.99
    ),
    99
  )
  t.ok(Number.isNaN(median([])))
  const points = Array.from({ length: 40 }, (_, x) => [x, 100 + x / 2 + (x % 7 === 0 ? 300 : 0)] as const)
  t.ok(Math.abs(slope(points) - 0.5) < 0.05, 'single peaks do not bend it')
  t.end()
})

t.test('what a manifest declares is no failure; any other fault and a missing answer are', async t => {
  const {
    registry: { surfaces }
  } = await registryOf(['.'])
  const failures = new Failures(surfaces)
  const paused = surfaces.find(({ fixed, status }) => fixed !== undefined && status === 503)!
  const get = (target: string) => ({ surface: '', method: 'GET', target, headers: {} })
  const path = paused.route.path.replaceAll(/\{\w+\}/g, 'x')
  for (const status of [200, 304, 404, 503]) failures.hear(get(`${path}?z=1`), { status, ms: 1, bytes: 0 })
  t.equal(failures.total, 0)
  failures.hear(get(path), { status: 500, ms: 1, bytes: 0 })
  failures.hear(get('/api/v1/'), { status: 503, ms: 1, bytes: 0 })
  failures.hear(get('/api/v1/'), { status: 0, ms: 1, bytes: 0, reason: 'ECONNRESET' })
  t.equal(failures.total, 3)
  t.ok(failures.all.some(([name]) => name === 'no answer: ECONNRESET'))
})

t.test('a seed gives the same requests again, which reach every surface in ways of their own', async t => {
  const {
    registry: { surfaces }
  } = await registryOf(['.'])
  const storm = (seed: number) => {
    const dice = new Dice(seed)
    return Array.from({ length: 5_000 }, () => hostileRequest(dice.of(surfaces), dice))
  }
  t.same(storm(7), storm(7))
  const found = storm(7)
  t.same(
    surfaces.map(({ id }) => id).filter(id => !found.some(({ surface }) => surface === id)),
    []
  )
  t.ok(new Set(found.map(({ target }) => target)).size > 2_000)
  t.ok(found.some(({ headers }) => 'Accept' in headers) && found.some(({ method }) => method === 'HEAD'))
  t.ok(
    surfaces.flatMap(examplesOf).some(({ body }) => body !== undefined),
    'examples with a body are sent with it'
  )
})

t.test('a picture has a line for each series, a goal, and no text that is markup', t => {
  const picture = plot('a < b', [
    {
      title: 'one & two',
      goal: 3,
      lines: [
        {
          name: 'x',
          points: [
            [0, 1],
            [1, 2]
          ]
        },
        {
          name: 'y',
          points: [
            [0, 2],
            [1, 2.5]
          ]
        }
      ]
    }
  ])
  t.match(picture, /^<svg [^]*a &lt; b[^]*one &amp; two[^]*<\/svg>\n$/)
  t.equal(picture.match(/<polyline/g)?.length, 2)
  t.match(picture, 'stroke-dasharray')
  t.notMatch(picture, /NaN|Infinity/)
  t.end()
})
