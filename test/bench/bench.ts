/** `npm run bench`: Pantry beside bare node:http, Koa and Fastify, in one run, as ratios. See --help. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { declaredSources } from '../surfaces/import/bundled-sources.ts'
import { openBenchDatabase } from './database.ts'
import { importTable, measureImport } from './import.ts'
import { measure, pinSelf, type Measure } from './load.ts'
import { measureScale } from './scale.ts'
import { scaleTable } from './scale-table.ts'
import { candidates, scenarios, type Candidate } from './scenarios.ts'
import { takeSample } from './take-sample.ts'

const help = `npm run bench -- [--rounds 5] [--seconds 3] [--connections 64] [--scenario NAME]... [--rows 100000] [--data-dir FOLDER] [--json]

Each round starts every candidate in a fresh process on one core, in an order of its own, and loads it from another core.
Ratios are made inside a round; the table shows the median and, in brackets, the smallest and the largest of the rounds.
Scenarios: ${scenarios.map(({ name, about }) => `${name} (${about})`).join(', ')}.
\`--scenario import\` imports that many permuted real rows into an empty database, twice, beside a bare COPY of them.
\`--scenario scale\` asks Pantry alone, with catalogues of 12 thousand, 72 thousand and 1 million permuted real cards: questions at random over all of
each, the sizes in turn. \`--data-dir\` keeps the catalogues (7 GB) for the next run; filling them takes minutes.
`

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    scenario: { type: 'string', multiple: true, default: [] },
    rows: { type: 'string', default: '100000' },
    'data-dir': { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})

const say = (text: string): void => { process.stderr.write(`${text}\n`) }
const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b)
const median = (numbers: readonly number[]): number => sorted(numbers)[Math.floor(numbers.length / 2)] ?? Number.NaN
const spread = (numbers: readonly number[], digits: number): string => `${median(numbers).toFixed(digits)} [${Math.min(...numbers).toFixed(digits)}..${Math.max(...numbers).toFixed(digits)}]`

const shuffled = <T>(items: readonly T[]): T[] => items.map(item => ({ item, at: Math.random() })).sort((a, b) => a.at - b.at).map(({ item }) => item)

type Rounds = Record<Candidate, Measure[]>

async function runScenario (name: string, sampleFile: string, load: Parameters<typeof measure>[2], rounds: number): Promise<Rounds> {
  const found: Rounds = { node: [], koa: [], fastify: [], pantry: [] }
  for (let round = 1; round <= rounds; round += 1) {
    for (const candidate of shuffled(candidates)) {
      const one = await measure(candidate, sampleFile, load)
      found[candidate].push(one)
      say(`${name} round ${round}/${rounds} ${candidate.padEnd(7)} ${one.perSecond.toFixed(0).padStart(6)}/s  p99 ${one.p99} ms  ${one.cpuMicroseconds.toFixed(1)} us${one.wrong > 0 ? `  ${one.wrong} WRONG` : ''}`)
    }
  }
  return found
}

const ratios = (found: Rounds, of: Candidate, to: Candidate): number[] => found[of].map(({ perSecond }, round) => perSecond / (found[to][round]?.perSecond ?? Number.NaN))

function table (name: string, found: Rounds): string {
  const lines = candidates.map(candidate => {
    const rounds = found[candidate]
    const wrong = rounds.reduce((sum, { wrong }) => sum + wrong, 0)
    return [
      name.padEnd(12), candidate.padEnd(8), spread(rounds.map(({ perSecond }) => perSecond), 0).padEnd(24), spread(rounds.map(({ p99 }) => p99), 1).padEnd(20),
      spread(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds), 1).padEnd(22), spread(ratios(found, candidate, 'node'), 2).padEnd(20), spread(ratios(found, candidate, 'fastify'), 2), wrong > 0 ? `  ${wrong} wrong answers` : ''
    ].join(' ')
  })
  return lines.join('\n')
}

/** A folder that the database's user can enter as well: where it cannot, the database goes elsewhere and outlives the folder. */
function scratchFolder (): string {
  const folder = mkdtempSync(join(tmpdir(), 'pantry-bench-'))
  chmodSync(folder, 0o755)
  return folder
}

async function benchImport (): Promise<void> {
  const folder = scratchFolder()
  try {
    const measured = await measureImport(declaredSources(), folder, Number(options.rows), say)
    process.stdout.write(`${options.json ? JSON.stringify(measured) : importTable(measured)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchScale (): Promise<void> {
  const kept = options['data-dir']
  const dataDir = kept === undefined ? scratchFolder() : resolve(kept)
  mkdirSync(dataDir, { recursive: true })
  try {
    const results = await measureScale({ dataDir, rounds: Number(options.rounds), seconds: Number(options.seconds), connections: Number(options.connections), say })
    process.stdout.write(`${options.json ? JSON.stringify(results) : scaleTable(results)}\n`)
  } finally {
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

// Before this process keeps to one core: the database it starts would keep to that core as well.
if (options.scenario.includes('import') && !options.help) await benchImport()
if (options.scenario.includes('scale') && !options.help) await benchScale()

if (options.help) {
  process.stdout.write(help)
} else if (options.scenario.length === 0 || options.scenario.some(name => name !== 'import' && name !== 'scale')) {
  const wanted = scenarios.filter(({ name }) => options.scenario.length === 0 || options.scenario.includes(name))
  pinSelf(1)
  const folder = scratchFolder()
  const database = await openBenchDatabase(folder, say)
  try {
    const results: Record<string, Rounds> = {}
    for (const scenario of wanted) {
      const { sample, paths } = await takeSample(scenario, database)
      const sampleFile = join(folder, `${scenario.name}.json`)
      writeFileSync(sampleFile, JSON.stringify(sample))
      results[scenario.name] = await runScenario(scenario.name, sampleFile, { paths, conditional: scenario.conditional === true, status: scenario.status, seconds: Number(options.seconds), connections: Number(options.connections) }, Number(options.rounds))
    }
    if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`)
    else {
      const head = ['scenario'.padEnd(12), 'server'.padEnd(8), 'requests/s'.padEnd(24), 'p99 ms'.padEnd(20), 'CPU us/request'.padEnd(22), 'x node'.padEnd(20), 'x fastify'].join(' ')
      process.stdout.write(`${[head, ...Object.entries(results).map(([name, found]) => table(name, found))].join('\n')}\n`)
    }
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
