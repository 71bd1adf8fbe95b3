/** `npm run consumers`: the package as strangers use it. See --help. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageFolder } from '../../../bin/project.ts'
import { twoAtATime } from '../../run/two-at-a-time.ts'
import { combinations, consumersTable, nameOf, readmeFile, toolsFolder, withTable, type Combination } from './design.ts'
import { mistakesInPackage } from './package.ts'
import { killAll, run } from './shell.ts'
import { useOf, type Step } from './steps.ts'

const help = `npm run consumers -- [--only <words>] [--list] [--keep]

Packs the framework and uses it as strangers do, in ${combinations.length} projects in which each package manager and each form of module meets each Node: installed in
an empty folder, begun with \`init\`, extended, validated, served, tested, asked by its typed client, and mounted in a Koa application.
The managers and Nodes come from the npm registry, in the versions of test/package/tools. Prints a line for each step; a whole run writes the table of README.md.

  --only <words>  only projects whose line of --list has the words; README.md stays as it is
  --list          prints the projects
  --keep          leaves the folder of the projects, and prints where it is
`

const {
  values: { only = '', list, keep, help: isHelp }
} = parseArgs({
  options: { only: { type: 'string' }, list: { type: 'boolean' }, keep: { type: 'boolean' }, help: { type: 'boolean' } }
})
const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const chosen = combinations.filter(one => nameOf(one).includes(only))

let passed = 0
let failed = 0

/** Runs one step and prints its line, with the time that it took. */
const stepsOf =
  (group: string): Step =>
  async (name, work) => {
    const began = performance.now()
    const line = (word: string): void => {
      say(`${word} ${group}: ${name}  ${((performance.now() - began) / 1000).toFixed(1)} s`)
    }
    try {
      const result = await work()
      passed += 1
      line('ok    ')
      return result
    } catch (error) {
      failed += 1
      line('FAILED')
      say((error instanceof Error ? error.message : String(error)).replaceAll(/^/gm, '    '))
      throw error
    }
  }

/** Every user can enter it, as a checkout ordinarily is: the database of root's service runs as another one. */
function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pantry-consumers-')))
  chmodSync(folder, 0o755)
  return folder
}

async function consume(folder: string): Promise<void> {
  const here = { cwd: packageFolder, env: process.env }
  const step = stepsOf('package')
  const tools = join(folder, 'tools')
  const [tarball] = await Promise.all([
    step(
      'npm run pack',
      async () => /^\S+\.tgz$/m.exec(await run(['npm', 'run', '--silent', 'pack', '--', folder], here, 400))?.[0] ?? ''
    ),
    step('package managers and Nodes', async () => {
      mkdirSync(tools)
      for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(toolsFolder, file), join(tools, file))
      await run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund'], { ...here, cwd: tools }, 300)
    })
  ])
  await step('files', async () => {
    const mistakes = mistakesInPackage()
    if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  })

  const tried: Combination[] = []
  await twoAtATime([...chosen.entries()], async ([at, combination]) => {
    const place = { tarball, tools, folder: join(folder, String(at)) }
    mkdirSync(place.folder)
    const { manager, form } = combination
    await useOf(combination, place, stepsOf(`${manager}, ${form}`)).then(
      () => {
        tried.push(combination)
      },
      () => undefined
    )
  })
  const table = consumersTable(combinations.filter(one => tried.includes(one)))
  say(`\n${table}\n`)
  if (chosen.length === combinations.length) {
    await step('the table of README.md is up to date', async () => {
      const before = readFileSync(readmeFile, 'utf8')
      const after = withTable(before, table)
      if (after === before) return
      writeFileSync(readmeFile, after)
      throw new Error('It was not; it is now.')
    })
  }
}

if (isHelp === true) process.stdout.write(help)
else if (list === true) for (const one of chosen) say(nameOf(one))
else {
  const folder = scratch()
  const clean = (): void => {
    killAll()
    if (keep === true) say(`kept: ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      clean()
      process.exit(1)
    })
  if (chosen.length === 0) throw new Error(`No project has \`${only}\` in its line: see --list.`)
  const began = performance.now()
  // What failed is counted and printed by its step.
  await consume(folder)
    .catch((error: unknown) => {
      if (failed === 0) throw error
    })
    .finally(clean)
  say(`${Math.round((performance.now() - began) / 1000)} s`)
  say(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
