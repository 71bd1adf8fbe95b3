/** `npm run journeys`: the ways in which people use Pantry, from their first step to their last. See --help. */
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { table } from '../../bin/table.ts'
import { twoAtATime } from '../run/two-at-a-time.ts'
import { goOn, type Journey, type Travelled } from './journey.ts'

/** The longest journey begins first: the others go on beside it. */
const first = 'reader'
/** Every other file here is a journey. */
const names = readdirSync(import.meta.dirname)
  .map(file => file.replace(/\.\w+$/, ''))
  .filter(name => name !== 'main' && name !== 'journey' && !name.endsWith('.test') && !name.startsWith('with-'))
  .sort((a, b) => Number(b === first) - Number(a === first) || a.localeCompare(b))

const help = `npm run journeys -- [NAME…]

Goes each journey, or those named, two at a time and step by step, through the doors that its user has: shell, tarball, HTTP, browser, MCP.
A step that cannot be done today is a todo with its reason. The last table has the steps, the seconds and what the user had to know.

Journeys: ${names.join(', ')}
`

function readNames(): readonly string[] {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', default: false } }
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    const unknown = positionals.find(name => !names.includes(name))
    if (unknown !== undefined) throw new Error(`There is no journey \`${unknown}\`.`)
    return positionals.length === 0 ? names : positionals
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`)
    process.exit(2)
  }
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
const longest = Math.max(...names.map(name => name.length))
const all: Travelled[] = []
await twoAtATime(readNames(), async name => {
  const { default: one } = (await import(`./${name}.js`)) as { default: Journey }
  all.push(
    await goOn(one, line => {
      say(line.replaceAll(/^/gm, `${name.padEnd(longest)}  `))
    })
  )
})
const count = (of: Travelled, is: (step: Travelled['steps'][number]) => boolean): number => of.steps.filter(is).length
const isTodo = (step: Travelled['steps'][number]): boolean => step.todo !== undefined
const hasFailed = (step: Travelled['steps'][number]): boolean => step.failure !== undefined
say(
  `\n${table(
    ['journey', 'steps', 'todo', 'failed', 'seconds', 'had to know'],
    all.map(one => [
      one.name,
      String(one.steps.length - count(one, isTodo)),
      String(count(one, isTodo)),
      String(count(one, hasFailed)),
      (one.steps.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(0),
      one.knows.join('; ')
    ])
  )}`
)
const failed = all.reduce((sum, one) => sum + count(one, hasFailed), 0)
say(`\n${all.reduce((sum, one) => sum + one.steps.length - count(one, isTodo), 0) - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
process.exit()
