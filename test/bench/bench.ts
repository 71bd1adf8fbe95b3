/**
 * `npm run bench`: what Pantry costs beside bare node:http, Koa and Fastify, as ratios of processor time. See --help.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageFolder } from '../../bin/project.ts'
import { benchRecordFile } from '../../bin/release/bench-record.ts'
import { declaredSources } from '../surfaces/import/bundled-sources.ts'
import { openBenchDatabase } from './database.ts'
import { requestFigures, type Figure } from './figures.ts'
import { importTable, measureImport } from './import.ts'
import { writeManySurfaces } from './many-surfaces.ts'
import { measureMemory } from './memory.ts'
import { readOptions, type Part } from './options.ts'
import { picture } from './picture.ts'
import { recorded, recordText, runText, runTextIn, type Recorded } from './record.ts'
import { measureRounds, type Setting } from './rounds.ts'
import { measureScale } from './scale.ts'
import { scaleTable } from './scale-table.ts'
import { scenarios } from './scenarios.ts'
import { pinSelf } from './servers.ts'
import { measureStart } from './start.ts'
import { figureTable } from './table.ts'

const options = readOptions(process.argv.slice(2))
const { names, rounds, seconds, warm, connections, repeats } = options
const isWanted = (part: Part): boolean => names.includes(part)
const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** Surfaces of the large service beside those of Pantry: three for each topic make 1,600 of all. */
const topics = 480

/** Runs work in a folder that the database's user can enter as well, and takes the folder away. */
async function inScratch(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pantry-bench-'))
  chmodSync(folder, 0o755)
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchImport(folder: string): Promise<void> {
  process.stdout.write(`${importTable(await measureImport(declaredSources(), folder, options.rows, say))}\n`)
}

/** Where a database remains, when the options say so. */
function dataDirOf(folder: string, name: string): string {
  const dataDir = join(resolve(options['data-dir'] ?? folder), name)
  mkdirSync(dataDir, { recursive: true })
  return dataDir
}

async function benchScale(folder: string): Promise<void> {
  const dataDir = dataDirOf(folder, 'scale')
  // Its questions are all different: a shorter time would ask too few.
  process.stdout.write(
    `${scaleTable(await measureScale({ dataDir, rounds, seconds: Math.max(seconds, 1), connections, say }))}\n`
  )
}

async function measureRequests(folder: string, dataDir: string, manySurfaces: string): Promise<readonly Figure[]> {
  const wanted = scenarios.filter(({ name }) => names.includes(name))
  if (wanted.length === 0 && !isWanted('memory')) return []
  // The servers are on one core, everything else, also the database, on another.
  pinSelf(1)
  const database = await openBenchDatabase(dataDir, say)
  try {
    const sampleFile = join(folder, 'sample.json')
    writeFileSync(sampleFile, JSON.stringify(database.sample))
    const setting: Setting = { keys: database.keys, databaseTime: database.databaseTime, sampleFile, manySurfaces }
    const options = { rounds, seconds, warmSeconds: warm, connections, repeats, say }
    const figures = wanted.length === 0 ? [] : requestFigures(wanted, await measureRounds(wanted, setting, options))
    return isWanted('memory')
      ? [...figures, ...(await measureMemory(setting, database.sample.databaseUrl, Math.min(rounds, 3), say))]
      : figures
  } finally {
    await database.close()
  }
}

async function measureAll(folder: string): Promise<readonly Figure[]> {
  const [dataDir, manySurfaces] = [dataDirOf(folder, 'cards'), join(folder, 'many')]
  writeManySurfaces(manySurfaces, topics)
  // Before this process keeps to one core: what it starts would keep to that core as well.
  const starts = isWanted('start') ? await measureStart(dataDir, manySurfaces, rounds, say) : []
  return [...(await measureRequests(folder, dataDir, manySurfaces)), ...starts]
}

/** Prints a run, and writes what the options ask for. */
function show(run: Recorded): void {
  process.stdout.write(`${figureTable(run.figures)}\n`)
  const wrong = run.figures
    .filter(({ details }) => (details?.wrong ?? 0) > 0)
    .map(({ scenario, of }) => `${scenario} (${of})`)
  if (wrong.length > 0) {
    say(`Answers were wrong in ${wrong.join(', ')}.`)
    process.exitCode = 1
  }
  if (options.json !== undefined) writeFileSync(options.json, recordText(run))
  if (options.svg !== undefined) writeFileSync(options.svg, picture(run))
  if (options.record) {
    const readme = join(packageFolder, 'README.md')
    writeFileSync(benchRecordFile, recordText(run))
    writeFileSync(join(packageFolder, 'docs', 'bench.svg'), picture(run))
    writeFileSync(readme, readFileSync(readme, 'utf8').replace(runTextIn, runText(run)))
  }
}

if (options.picture !== undefined) {
  show(JSON.parse(readFileSync(options.picture, 'utf8')) as Recorded)
} else {
  if (isWanted('import')) await inScratch(benchImport)
  if (isWanted('scale')) await inScratch(benchScale)
  if (names.some(name => name !== 'import' && name !== 'scale'))
    await inScratch(async folder => {
      show(recorded(await measureAll(folder), rounds))
    })
}
