import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { Argument, Option } from 'commander'
import { defineCommand, rootOption, type RootOptions } from '../command.ts'
import { readConfig } from '../config.ts'
import { print } from '../io.ts'
import { packageFolder } from '../project.ts'

type Options = RootOptions & { python?: true; own?: true; name?: string; release?: string; license?: string }

type PackageFile = Readonly<{ version?: string; license?: string; engines?: Readonly<Record<string, string>> }>

const readPackage = (folder: string): PackageFile => {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackageFile) : {}
}

export const client = defineCommand<[folder: string | undefined], Options>({
  name: 'client',
  group: 'operate',
  summary: 'Write a typed client of the service, as a package for npm or PyPI.',
  description: [
    'Writes a package without dependencies that has a function for each operation, with the types of what it takes and answers.',
    'Version and license are those of package.json in the root. It asks PANTRY_BASE_URL, else the `base_url` of the service.'
  ],
  arguments: [
    new Argument(
      '[folder]',
      'Where the package is written; its files there are replaced. Default: client, or client-python with --python.'
    )
  ],
  options: [
    rootOption(),
    new Option('--python', 'Write it for Python 3.10 or later, as a package for PyPI.'),
    new Option('--own', 'Leave out the operations that the framework adds to every service.'),
    new Option('--name <name>', 'Name of the package. Default: <id of the service>-client.'),
    new Option('--release <version>', 'Its version. Default: that of package.json, else 0.0.0.'),
    new Option(
      '--license <license>',
      'Its license, as an SPDX expression. Default: that of package.json, else UNLICENSED.'
    )
  ],
  examples: [
    ['pantry client', 'Writes client/: publish it with `npm publish client/`.'],
    ['pantry client --own', 'Only what this service has, and not what every service has.'],
    ['pantry client --python', 'Writes client-python/: build it with `python3 -m build client-python`.']
  ],
  exits: { 1: 'The service cannot be read.', 2: 'Wrong usage.', 3: 'A file cannot be written.' },
  async run([wanted], { root, python = false, own: isOwn = false, ...given }, io) {
    const target = wanted ?? (python ? 'client-python' : 'client')
    const { requireRegistry } = await import('../read-registry.ts')
    const { workedOn } = await import('../project.ts')
    const { clientOf } = await import('../client/package.ts')
    const folder = workedOn(root)
    const own = readPackage(folder)
    const { release: version = own.version ?? '0.0.0', license = own.license ?? 'UNLICENSED' } = given
    const { registry } = await requireRegistry(root, io)
    const engines = readPackage(packageFolder).engines ?? {}
    const files = clientOf(registry, readConfig(io.env).baseUrl, {
      name: given.name,
      isPython: python,
      isOwn,
      version,
      license,
      engines
    })
    const notice = join(folder, 'LICENSE')
    const all = existsSync(notice) ? { ...files, LICENSE: readFileSync(notice, 'utf8') } : files
    mkdirSync(resolve(target), { recursive: true })
    for (const [file, text] of Object.entries(all)) {
      const path = join(target, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      print(io.stdout, path)
    }
    print(
      io.stderr,
      python
        ? `Next: \`python3 -m build ${target}\`, and \`python3 -m twine upload ${target}/dist/*\`.`
        : `Next: \`npm publish ${target}/\`, or \`npm pack ${isAbsolute(target) ? target : `./${target}`}\` for a file.`
    )
    return 0
  }
})
