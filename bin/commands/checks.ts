import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorFault } from '../../core/database/fault.ts'
import { diagnoseDatabase, type Finding } from '../../core/database/doctor.ts'
import { existingCluster } from '../../core/database/embedded/cluster.ts'
import { lockHolder } from '../../core/database/embedded/lock.ts'
import { migrationStatus } from '../../core/database/migrations.ts'
import { compareTables, hasTables } from '../../core/database/tables/compare.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { documentPathOf } from '../../core/discovery/pointers.ts'
import { withBaseUrl } from '../../core/registry/load.ts'
import { originPathsOf } from '../../core/registry/place.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { askedAt } from '../asked-address.ts'
import { databaseOptions, placeOf, type Config } from '../config.ts'
import { count } from '../io.ts'
import { tryPort, type ListenAddress } from '../ports.ts'
import { errorsOf, readRegistry, type ReadRegistry } from '../read-registry.ts'
import { bundleFolder, loadRoots, migrationProblems, migrationsOf, packageFolder, type LoadedRoot } from '../roots.ts'

const finding = (name: string, ok: boolean, detail: string, fix: string): Finding => ({
  name,
  ok,
  detail,
  fix: ok ? '' : fix
})

function isAtLeast(version: string, oldest: string): boolean {
  const [a = [], b = []] = [version, oldest].map(text => text.split('.').map(Number))
  const different = b.findIndex((part, at) => part !== (a[at] ?? 0))
  return different === -1 || (a[different] ?? 0) > (b[different] ?? 0)
}

function checkNode(): Finding {
  const { engines } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    engines: { node: string }
  }
  const oldest = engines.node.replace(/^\D+/, '')
  return finding(
    'node',
    isAtLeast(process.versions.node, oldest),
    `Node.js ${process.versions.node}; ${oldest} or later is needed.`,
    `Install Node.js ${oldest} or later.`
  )
}

/** Checks that the clock is at most a day behind the time at which this version was installed. */
function checkClock(): Finding {
  const installed = statSync(join(packageFolder, 'package.json')).mtimeMs
  const day = 86_400_000
  return finding(
    'clock',
    Date.now() > installed - day,
    `It is ${new Date().toISOString()}.`,
    'Set the clock; a time service such as NTP keeps it right.'
  )
}

/** Checks what `pantry validate` reads: the manifests, the corpora, and the migrations. */
function checkManifests({ registry, diagnostics }: ReadRegistry, migrations: readonly Diagnostic[]): Finding {
  const errors = errorsOf([...diagnostics, ...migrations]).length
  return finding(
    'manifests',
    errors === 0,
    registry === undefined || errors > 0 ? `${count(errors, 'error')}.` : `${registry.surfaces.length} surfaces.`,
    'Run `pantry validate`.'
  )
}

/** Checks that what runs was built of the sources that are there. A root that is not built has no such check. */
function checkBuild(roots: readonly LoadedRoot[]): readonly Finding[] {
  const found = roots.flatMap(({ outdated = [] }) => outdated)
  if (found.length === 0 && !roots.some(({ folder }) => existsSync(bundleFolder(folder)))) return []
  const detail = found.map(({ code, file, message }) => `${code} ${file}: ${message}`).join(' ')
  const fix = [...new Set(found.map(({ hint = '' }) => hint))].join(' ')
  return [finding('build', found.length === 0, detail || 'It is of the sources that are there.', fix)]
}

/** Says what a proxy has to pass on to a service under a path, which no check can see from here. */
function checkPath({ baseUrl }: Config, { registry }: ReadRegistry): readonly Finding[] {
  const served = registry === undefined || baseUrl === undefined ? registry : withBaseUrl(registry, baseUrl)
  if (served?.moved === undefined) return []
  const paths = [`${served.moved.base}/`, ...originPathsOf(served)]
  return [finding('path', true, `The proxy passes on these paths, unchanged: ${paths.join(', ')}.`, '')]
}

/**
 * Tells whether what listens at an address is this service: it has the same id, and if its database is one in the data
 * folder, the folder is in use.
 */
async function isOurs(
  place: ListenAddress,
  { databaseUrl, dataDir, baseUrl }: Config,
  registry: Registry | undefined
): Promise<boolean> {
  if (registry === undefined) return false
  if (databaseUrl === undefined && existingCluster(dataDir) !== undefined && (await lockHolder(dataDir)) === undefined)
    return false
  const path = documentPathOf(baseUrl === undefined ? registry : withBaseUrl(registry, baseUrl), 'manifest')
  const answer = (path === null ? undefined : await askedAt(place, path)) as ManifestAnswer | undefined
  return answer?.service?.id === registry.service.id
}

/** Tells whether what listens at an address is the admin port of a Pantry. */
async function isAdmin(place: ListenAddress): Promise<boolean> {
  const answer = (await askedAt(place, '/readyz')) as AdminAnswer | undefined
  return typeof answer?.ready === 'boolean' && typeof answer.subsystems === 'object'
}

type ManifestAnswer = Readonly<{ service?: Readonly<{ id?: unknown }> }> | null
type AdminAnswer = Readonly<{ ready?: unknown; subsystems?: unknown }> | null

/** Checks that an address can be listened on, or that `isOwn` who listens there. */
async function checkPort(
  name: string,
  place: ListenAddress,
  isOwn: () => boolean | Promise<boolean>
): Promise<Finding> {
  try {
    await tryPort(place)
    return finding(
      name,
      true,
      'path' in place
        ? `The socket ${place.path} can be made.`
        : place.port === 0
          ? 'Any free port is taken.'
          : `Port ${place.port} on ${place.host} is free.`,
      ''
    )
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error
    return error.code === 'O501' && (await isOwn())
      ? finding(name, true, `${error.message} It is this service, which runs.`, '')
      : finding(name, false, error.message, error.fix)
  }
}

/** Checks whether Pantry can run here. The finding of a failed check says what to do in `fix`. */
export async function checkEnvironment(config: Config, roots: readonly string[]): Promise<readonly Finding[]> {
  const { host, adminPort } = config
  const place = placeOf(config)
  const adminPlace: ListenAddress = { host, port: adminPort ?? 0, variable: 'PANTRY_ADMIN_PORT' }
  const loaded = await loadRoots(roots)
  const read = readRegistry(loaded)
  const { readable } = read
  const runs = (): Promise<boolean> => isOurs(place, config, readable)
  return [
    checkNode(),
    checkClock(),
    checkManifests(read, await migrationProblems(loaded)),
    ...checkBuild(loaded),
    ...checkPath(config, read),
    await checkPort(config.socket === undefined ? 'port' : 'socket', place, runs),
    ...(adminPort === undefined
      ? []
      : [await checkPort('admin port', adminPlace, async () => (await runs()) && (await isAdmin(adminPlace)))]),
    ...(await diagnoseDatabase({
      ...databaseOptions(config),
      migrations: async knex => await migrationStatus(knex, migrationsOf(roots)),
      ...(readable === undefined || !hasTables(readable)
        ? {}
        : { tables: async knex => await compareTables(knex, readable) })
    }))
  ]
}
