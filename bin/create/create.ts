import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { packageManagerOf } from '../package-managers.ts'
import { licenseWanted, nameProblem } from '../scaffold/service-words.ts'

/** The process that creates: where it is, and whether a person can be asked. */
type Creation = Readonly<{
  cwd: string
  env: NodeJS.ProcessEnv
  /** The version of Pantry that is installed. */
  version: string
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  isTerminal: boolean
}>

const usage = `Usage: npm create pantry <name> -- [options of pantry init]

Makes the folder <name>, installs Pantry in it, and begins a service there.

  npm create pantry trees
  npm create pantry places -- --from places.csv --key id --license CC0-1.0

  --package <tarball>  Pantry as a file, instead of from the registry
`

/** Removes an option with its value from a list of arguments, and returns the value. */
function taken(args: string[], option: string): string | undefined {
  const at = args.findIndex(one => one === option || one.startsWith(`${option}=`))
  if (at === -1) return undefined
  const [word = ''] = args.splice(at, 1)
  return word === option ? args.splice(at, 1)[0] : word.slice(option.length + 1)
}

async function ask(question: string, { input, output }: Creation): Promise<string> {
  const asking = createInterface({ input, output })
  try {
    return (await asking.question(question)).trim()
  } finally {
    asking.close()
  }
}

const isEmpty = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0

/** Returns the license of the rows: the one that is given, or that a person says. */
async function licenseOf(given: string | undefined, creation: Creation): Promise<string | undefined> {
  if (given !== undefined || !creation.isTerminal) return given
  return (await ask('License of the rows (CC0-1.0, CC-BY-4.0, … or NOASSERTION): ', creation)) || undefined
}

const programOf = (folder: string): string => {
  const installed = join(folder, 'node_modules', 'pantry')
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { bin: { pantry: string } }
  return join(installed, bin.pantry)
}

/** Makes a folder, installs Pantry in it, and runs `pantry init` there. Returns the exit code. */
export async function create(given: readonly string[], creation: Creation): Promise<number> {
  const { cwd, env, version, output } = creation
  const [name = '', ...rest] = given
  const refuse = (text: string, code = 2): number => {
    output.write(`error: ${text}\n`)
    return code
  }
  if (name === '' || name.startsWith('-')) {
    output.write(usage)
    return name === '--help' ? 0 : 2
  }
  const problem = nameProblem(name)
  if (problem !== undefined) return refuse(problem)
  const folder = join(cwd, name)
  if (!isEmpty(folder)) return refuse(`The folder \`${name}\` is there already, and is not empty.`)
  const named = taken(rest, '--package')
  const from = taken(rest, '--from')
  if (from !== undefined) {
    const file = resolve(cwd, from)
    if (!existsSync(file)) return refuse(`There is no file \`${from}\`.`)
    const license = await licenseOf(taken(rest, '--license'), creation)
    if (license === undefined) return refuse(licenseWanted)
    rest.push('--from', relative(folder, file), '--license', license)
  }
  const { name: manager, add } = packageManagerOf(cwd, env)
  const spec = named === undefined ? `pantry@${version}` : resolve(cwd, named)
  const isNew = !existsSync(folder)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, version: '0.0.0', private: true }, null, 2)}\n`)
  const run = (program: string, args: readonly string[]): number =>
    spawnSync(program, args, { cwd: folder, env, stdio: ['inherit', 'inherit', 'inherit'] }).status ?? 3
  if (run(manager, [...add, spec]) !== 0) {
    rmSync(isNew ? folder : join(folder, 'package.json'), { recursive: true, force: true })
    return refuse(
      `Pantry could not be installed with \`${[manager, ...add, spec].join(' ')}\`. No service was made.`,
      3
    )
  }
  const code = run(process.execPath, [programOf(folder), 'init', name, ...rest])
  if (code < 2) output.write(`\nThe service is in ${name}: \`cd ${name}\` first.\n`)
  return code
}
