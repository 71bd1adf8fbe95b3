import { isObject } from '../../core/canonical/json.ts'
import { discoveryModules } from '../../core/discovery/index.ts'
import { withBaseUrl } from '../../core/registry/load.ts'
import { isStandard, type Registry } from '../../core/registry/registry.ts'
import { UsageError } from '../config.ts'
import { clientFiles, type ClientPackage } from './files.ts'
import { pythonFiles } from './python.ts'

type About = Omit<ClientPackage, 'name'> & Readonly<{ name: string | undefined; isPython?: boolean; isOwn?: boolean }>

/**
 * Returns the files of a typed client of a service, by name. `baseUrl`: the origin that it asks. Default: that of the
 * service. `name`: default `<id of the service>-client`. `isPython`: for PyPI instead of npm. `isOwn`: without the
 * operations that the framework adds to every service.
 */
export function clientOf(
  registry: Registry,
  baseUrl = registry.service.base_url,
  { name = `${registry.service.id}-client`, isPython = false, isOwn = false, ...about }: About
): Readonly<Record<string, string>> {
  const now = new Date()
  const surfaces = registry.surfaces.filter(surface => !isOwn || !isStandard(surface))
  if (surfaces.length === 0) throw new UsageError('`--own` leaves nothing: the service has no operation of its own.')
  const document = discoveryModules
    .get('openapi')
    ?.build(
      withBaseUrl({ ...registry, surfaces }, baseUrl),
      { params: {}, query: {} },
      { now, startedAt: now, subsystems: {} }
    )
  if (!isObject(document)) throw new Error('The framework has no OpenAPI document.')
  return (isPython ? pythonFiles : clientFiles)(document, { name, ...about })
}
