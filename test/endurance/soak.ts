/** `npm run soak`: a mixed load for a long time. See --help. */
import { table } from '../../bin/table.ts'
import { Dice } from '../support/malformed.ts'
import { registryOf } from '../support/registry.ts'
import { Client, drive, type Outcome, type Sent } from './client.ts'
import { Failures, median, megabytes, quantile, slope, writeReport, type Goal } from './figures.ts'
import { readOptions } from './options.ts'
import { examplesOf, hostileRequest } from './requests.ts'
import { watchedService } from './service.ts'

const help = `npm run soak -- [--minutes 30] [--rate 300] [--seed N] [--out .test/endurance] [--json] [--short]

Starts Pantry over the bundled cards and sends the examples of all surfaces at the rate (a second), compressed and not, a third of them with the
entity tag of the answer before, one of twenty with something wrong. A line each minute. After a fifth of the time as warm-up, memory may grow by
0.5 MB a minute and be 1.25 times its warm median at most; descriptors, handles and connections stay. Writes soak.json and soak.svg.
--short takes a minute, shows the goals of memory and times, and does not judge them.
`
const options = readOptions(help, { minutes: 30, rate: 300 })
/** Milliseconds between two looks at the process. */
const lookMs = options.short ? 15_000 : 60_000
const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const {
  registry: { surfaces }
} = await registryOf(['.'])
const dice = new Dice(options.seed)
const service = await watchedService(say)
const client = new Client(service.port, 64)
const failures = new Failures(surfaces, { mayBeBusy: true })
const examples = surfaces.flatMap(examplesOf)
const tags = new Map<string, string>()

function next(): Sent {
  if (dice.below(20) === 0) return hostileRequest(dice.of(surfaces), dice)
  const example = dice.of(examples)
  const tag = example.method === 'GET' && dice.below(3) === 0 ? tags.get(example.target) : undefined
  return {
    ...example,
    headers: {
      'Accept-Encoding': dice.of(['gzip', 'br, gzip', 'identity']),
      ...(tag === undefined ? {} : { 'If-None-Match': tag }),
      ...example.headers
    }
  }
}

type Minute = Awaited<ReturnType<typeof service.held>> &
  Readonly<{ minute: number; answered: number; p50: number; p99: number; notModified: number; failed: number }>
const looks: Minute[] = []
const times: number[] = []
let notModified = 0
const hear = (sent: Sent, outcome: Outcome): void => {
  failures.hear(sent, outcome)
  times.push(outcome.ms)
  if (outcome.status === 304) notModified += 1
  const etag = outcome.headers?.etag
  if (etag !== undefined && outcome.status === 200) tags.set(sent.target, etag)
}
const head = [
  'minute',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'RSS MB',
  'heap MB',
  'lag p99 ms',
  'descriptors',
  'handles',
  'HTTP',
  'database',
  '304',
  'failed'
]
const row = (one: Minute): readonly string[] => [
  one.minute.toFixed(0),
  ((one.answered * 1000) / lookMs).toFixed(0),
  one.p50.toFixed(1),
  one.p99.toFixed(0),
  megabytes(one.rss).toFixed(0),
  megabytes(one.heapUsed).toFixed(0),
  one.lagP99.toFixed(1),
  String(one.descriptors),
  String(one.resources),
  String(one.connections),
  String(one.databaseConnections),
  String(one.notModified),
  String(one.failed)
]

await new Promise(resolve => {
  setTimeout(resolve, 3_000)
})
const idle = await service.held()
const since = performance.now()
say(
  `idle: ${megabytes(idle.rss).toFixed(0)} MB, ${idle.descriptors} descriptors, ${idle.resources} handles; seed ${options.seed}\n${head.join('  ')}`
)
async function look(): Promise<void> {
  const [heard, not, before] = [times.splice(0), notModified, looks.reduce((sum, { failed }) => sum + failed, 0)]
  notModified = 0
  looks.push({
    ...(await service.held()),
    minute: (performance.now() - since) / 60_000,
    answered: heard.length,
    p50: median(heard),
    p99: quantile(heard, 0.99),
    notModified: not,
    failed: failures.total - before
  })
  say(
    row(looks.at(-1)!)
      .map((text, column) => text.padStart(head[column]?.length ?? 0))
      .join('  ')
  )
}
const timer = setInterval(() => {
  void look()
}, lookMs)
await drive(client, { perSecond: options.rate, until: since + options.minutes * 60_000, mostOpen: 400 }, next, hear)
clearInterval(timer)
client.close()
// Idle connections are closed after five seconds, and pools of the database shrink after thirty.
await new Promise(resolve => {
  setTimeout(resolve, 35_000)
})
const after = await service.held()
const code = await service.stop()

const warm = looks.slice(Math.floor(looks.length / 5))
const growth = slope(warm.map(({ minute, rss }) => [minute, megabytes(rss)]))
const most = Math.max(...warm.map(({ rss }) => rss)) / median(warm.map(({ rss }) => rss))
const goals: readonly Goal[] = [
  {
    isTimed: true,
    goal: 'memory grows by 0.5 MB a minute at most (Theil–Sen)',
    found: `${growth.toFixed(2)} MB a minute`,
    met: growth <= 0.5
  },
  { isTimed: true, goal: 'memory stays under 1.25 times its warm median', found: most.toFixed(2), met: most <= 1.25 },
  {
    goal: 'descriptors at the end as at the start, within 5',
    found: `${idle.descriptors}, then ${after.descriptors}`,
    met: Math.abs(after.descriptors - idle.descriptors) <= 5
  },
  {
    goal: 'handles at the end as at the start, within 5',
    found: `${idle.resources}, then ${after.resources}`,
    met: Math.abs(after.resources - idle.resources) <= 5
  },
  {
    goal: 'connections of the database: 12 at most',
    found: String(Math.max(...looks.map(({ databaseConnections }) => databaseConnections))),
    met: looks.every(({ databaseConnections }) => databaseConnections <= 12)
  },
  {
    goal: 'no answer that is not declared, none missing',
    found: `${failures.total}; ${client.repeated} sent again on a connection that was closing`,
    met: failures.total === 0
  },
  {
    isTimed: true,
    goal: 'at most one answer in 1,000 says that the service is busy',
    found: String(failures.busy),
    met: failures.busy * 1_000 <= looks.reduce((sum, { answered }) => sum + answered, 0)
  },
  { goal: 'SIGTERM ends it with 0', found: String(code), met: code === 0 }
]
const files = writeReport(
  options.out,
  'soak',
  {
    seed: options.seed,
    rate: options.rate,
    idle,
    looks,
    after,
    failures: failures.all,
    complaints: service.complaints.slice(0, 50),
    goals
  },
  `Mixed load at ${options.rate} requests a second`,
  [
    {
      title: 'memory, MB',
      lines: [
        { name: 'heap', points: looks.map(one => [one.minute, megabytes(one.heapUsed)]) },
        { name: 'RSS', points: looks.map(one => [one.minute, megabytes(one.rss)]) }
      ]
    },
    {
      title: 'descriptors, handles and connections',
      lines: [
        { name: 'descriptors', points: looks.map(one => [one.minute, one.descriptors]) },
        { name: 'handles', points: looks.map(one => [one.minute, one.resources]) },
        { name: 'HTTP', points: looks.map(one => [one.minute, one.connections]) },
        { name: 'database', points: looks.map(one => [one.minute, one.databaseConnections]) }
      ]
    },
    {
      title: 'answers, ms',
      lines: [
        { name: 'p50', points: looks.map(one => [one.minute, one.p50]) },
        { name: 'p99', points: looks.map(one => [one.minute, one.p99]) }
      ]
    },
    { title: 'lag of the loop, ms', lines: [{ name: 'p99', points: looks.map(one => [one.minute, one.lagP99]) }] }
  ]
)
if (options.json) process.stdout.write(`${JSON.stringify({ goals, files })}\n`)
else {
  process.stdout.write(`\n${table(head, looks.map(row))}\n`)
  for (const [name, count] of failures.all.slice(0, 20)) process.stdout.write(`failed ${count} times: ${name}\n`)
  process.stdout.write(
    `\n${table(
      ['goal', 'found', 'met'],
      goals.map(({ goal, found, met, isTimed = false }) => [
        goal,
        found,
        met ? 'yes' : isTimed && options.short ? 'not judged' : 'NO'
      ])
    )}\n${files.join(', ')}\n`
  )
}
process.exitCode = goals.every(({ met, isTimed = false }) => met || (isTimed && options.short)) ? 0 : 1
