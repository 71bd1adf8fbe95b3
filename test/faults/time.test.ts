// test: faults. The clock of a running service jumps, and its manifests are replaced by bad ones.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { requestOf } from '../../bin/promises/examples.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { libraryIn } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { registryOf } from '../support/registry.ts'
import { scratchFolder } from '../support/scratch.ts'
import { serving } from './serving.ts'

const [hour, day, year] = [3_600_000, 86_400_000, 365.25 * 86_400_000]
const leapDay = Date.parse('2028-02-29T12:00:00Z')

/** Where the clock goes, one after the other, each from the true time. The last is the true time again. */
const jumps = [
  hour,
  -hour,
  day,
  -day,
  -10 * year,
  20 * year,
  leapDay - Date.now(),
  day - (Date.now() % day) - 2_000,
  0
] as const

/** Loaded before Pantry: with each SIGUSR2 the clock of the process takes the next jump. */
const clock = `data:text/javascript,${encodeURIComponent(`
const jumps = ${JSON.stringify(jumps)}
const True = Date
let offset = 0
process.on('SIGUSR2', () => { offset = jumps.shift() ?? 0 })
globalThis.Date = class extends True {
  constructor (...given) { if (given.length === 0) super(True.now() + offset); else super(...given) }
  static now () { return True.now() + offset }
}`)}`

t.test(
  'wherever the clock of a running service goes, every surface answers, and no promise is longer than it says',
  async t => {
    const { url: databaseUrl } = await bundledDatabase(t)
    const {
      registry: { surfaces }
    } = await registryOf(['.'])
    const { child, url, status, ended } = await serving(t, {
      root: '.',
      node: ['--import', clock],
      env: { DATABASE_URL: databaseUrl, PANTRY_DATA_DIR: scratchFolder(t) }
    })
    await eventually(async () => {
      if ((await status('/readyz')) !== 200) throw new Error('not ready')
    })
    const examples = surfaces.flatMap(({ id, examples: [example] }) =>
      example === undefined ? [] : [{ id, ...example }]
    )
    const found = async (): Promise<readonly string[]> => {
      const all: string[] = []
      for (const { id, ...example } of examples) {
        const answer = await fetch(url + example.url, { ...requestOf(example), signal: AbortSignal.timeout(20_000) })
        await answer.arrayBuffer()
        const reset = answer.headers.get('ratelimit-reset')
        if (reset !== null && (Number(reset) <= 0 || Number(reset) > 3_600)) t.fail(`${id}: RateLimit-Reset ${reset}`)
        const age = /max-age=(\d+)/.exec(answer.headers.get('cache-control') ?? '')?.[1]
        if (Number(age ?? 0) > 366 * 86_400) t.fail(`${id}: max-age ${age}`)
        all.push(`${id} ${answer.status}`)
      }
      return all
    }
    const before = await found()
    for (const jump of jumps) {
      child.kill('SIGUSR2')
      await sleep(50)
      // What an example shows may depend on the day; that it is answered does not.
      const after = await found()
      t.same(
        after.filter(line => / 5\d\d$/.test(line) && !before.includes(line)),
        [],
        `${jump} ms`
      )
    }
    t.same(await found(), before, 'as before, once the time is right again')
    t.equal(await ended('SIGTERM'), 0)
  }
)

const deep = (open: string, close: string): string => `a: ${open.repeat(5_000)}${close.repeat(5_000)}`
const laughs = `${Array.from({ length: 12 }, (_, at) => `l${at}: &l${at} [${Array.from({ length: 10 }, () => (at === 0 ? 'ha' : `*l${at - 1}`)).join(', ')}]`).join('\n')}\n`

/** What a manifest may turn into, for a moment or for good. */
const bad: readonly (string | Buffer)[] = [
  '',
  'kind: [',
  'kind: entry',
  '\t\tkind: entry',
  '- a\n- b',
  '"',
  '{',
  '}',
  'a: b: c',
  '? [',
  '&a *a',
  '*unknown',
  '!!js/function "x"',
  '!<tag:x> y',
  '--- a\n--- b',
  'a: 1\na: 2',
  '%YAML 9.9\n---\na',
  'a: "\\x"',
  'a: |\n\tb',
  'kind: nothing\npath: /x',
  'kind: collection\npath: /api/v1/library/books/../x',
  deep('[', ']'),
  deep('{a: ', '}'),
  laughs,
  'a'.repeat(3_000_000),
  'a: "\\u0000"',
  '\ufeffkind: entry',
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.from([0xc0, 0xaf]),
  '__proto__: { a: 1 }'
]

t.test('whatever the manifests turn into, the last good ones keep serving, and nothing is left open', async t => {
  const root = libraryIn(scratchFolder(t))
  const { child, words, status, ended } = await serving(t, { root })
  const file = join(root, 'manifests/books.yaml')
  const good = readFileSync(file)
  const descriptors = (): number => readdirSync(`/proc/${child.pid ?? 0}/fd`).length
  const over = new AbortController()
  let asked = 0
  const failed: number[] = []
  const load = (async () => {
    while (!over.signal.aborted) {
      const found = await status('/api/v1/library/books')
      asked += 1
      if (found !== 200) failed.push(found)
    }
  })()
  const told = (): number => words().match(/"(?:reload|reloaded)\b/g)?.length ?? 0
  const reload = async (change: () => void): Promise<void> => {
    const before = told()
    change()
    child.kill('SIGHUP')
    await eventually(() => {
      if (told() === before) throw new Error('It did not read again.')
    })
  }
  await reload(() => {
    writeFileSync(file, good)
  })
  const before = process.platform === 'linux' ? descriptors() : 0
  for (const text of [...bad, ...bad, ...bad]) {
    await reload(() => {
      writeFileSync(file, text)
    })
    await reload(() => {
      writeFileSync(file, good)
    })
  }
  for (const make of [
    () => {
      symlinkSync('/etc/passwd', file)
    },
    () => {
      symlinkSync(file, file)
    },
    () => {
      mkdirSync(file)
    }
  ]) {
    await reload(() => {
      rmSync(file, { force: true })
      make()
    })
    await reload(() => {
      rmSync(file, { recursive: true })
      writeFileSync(file, good)
    })
  }
  over.abort()
  await load
  t.same(failed, [], `of ${asked} requests`)
  if (process.platform === 'linux')
    t.ok(Math.abs(descriptors() - before) <= 5, `${before} descriptors, then ${descriptors()}`)
  t.match(words(), /refused: the last good manifests keep serving/)
  t.equal(await ended('SIGTERM'), 0)
})
