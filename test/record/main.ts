/** `npm run record`: what can be seen of Pantry from outside, in files that can be compared. See --help. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '../../bin/table.ts'
import { answers } from './answers.ts'
import { commands } from './commands.ts'
import { names } from './names.ts'
import { routes } from './routes.ts'
import { clear, compare, Recorded, type Part } from './rows.ts'
import { schema } from './schema.ts'
import { types } from './types.ts'

const parts: readonly Part[] = [routes, schema, types, commands, names, answers]

const help = `npm run record -- [--out .test/record] [--only PART,PART…] [--against FOLDER] [--check --seed N]

Records what can be seen of Pantry from outside, without what differs by time or chance, and compares it with an earlier
record: before a change \`npm run record -- --out before\`, after it \`npm run record -- --against before\`. Equal differences
are told once, with the rows that differ so; with any, it ends with 1.

--check records a tenth twice, over two databases, and compares: what differs by chance would hide what differs by a change.

${table(
  ['part', 'what it records'],
  parts.map(({ name, about }) => [name, about])
)}`

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        out: { type: 'string', default: '.test/record' },
        only: { type: 'string' },
        against: { type: 'string' },
        check: { type: 'boolean', default: false },
        seed: { type: 'string', default: '0' },
        help: { type: 'boolean', default: false }
      }
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    const unknown = values.only?.split(',').find(name => !parts.some(part => part.name === name))
    if (unknown !== undefined) throw new Error(`There is no part \`${unknown}\`.`)
    return values
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`)
    return process.exit(2)
  }
}

const { out, only, against, check, seed } = readOptions()
const chosen = parts.filter(({ name }) => only?.split(',').includes(name) ?? true)
const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** Records a part over what is its own. */
async function record(part: Part): Promise<Recorded> {
  const folder = mkdtempSync(join(tmpdir(), 'pantry-record-'))
  const ends: (() => unknown)[] = []
  const recorded = new Recorded()
  const began = performance.now()
  try {
    for await (const row of part.rows({
      t: {
        testdirName: folder,
        teardown: (end: () => unknown) => {
          ends.push(end)
        }
      },
      isChosen: place => !check || (place + Number(seed)) % 10 === 0
    }))
      recorded.add(row)
  } finally {
    for (const end of ends.reverse()) await end()
    rmSync(folder, { recursive: true, force: true })
  }
  say(`${part.name}: ${recorded.rows.size} rows in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return recorded
}

const keysShown = 3
if (!check) clear(out)
let same = 0
let differing = 0
for (const part of chosen) {
  const after = await record(part)
  if (!check) after.write(out, part.name)
  const before = check ? await record(part) : against === undefined ? undefined : Recorded.read(against, part.name)
  if (before === undefined) continue
  const differences = compare(before, after)
  for (const { what, keys } of differences)
    process.stdout.write(
      `\n${part.name}, ${keys.length} rows: ${keys.slice(0, keysShown).join('\n  ')}${keys.length > keysShown ? '\n  …' : ''}\n${what}\n`
    )
  const rows = new Set(differences.flatMap(({ keys }) => keys)).size
  differing += rows
  same += after.rows.size - rows
}
if (check) process.stdout.write(`\n${same} passed, ${differing} failed\n`)
else say(`written to ${out}${against === undefined ? '' : `; ${same} rows are as before, ${differing} differ`}`)
process.exit(differing === 0 ? 0 : 1)
