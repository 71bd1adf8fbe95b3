import { isObject } from '../../core/canonical/json.ts'
import { discoveryModules } from '../../core/discovery/index.ts'
import { withBaseUrl } from '../../core/registry/load.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { clientFiles, type ClientPackage } from './files.ts'
import { pythonFiles } from './python.ts'

type About = Omit<ClientPackage, 'name'> & Readonly<{ name: string | undefined; isPython?: boolean }>

/**
 * Returns the files of a typed client of a service, by name. `baseUrl`: the origin that it asks. Default: that of the
 * service. `name`: default `<id of the service>-client`. `isPython`: for PyPI instead of npm.
 */
export function clientOf(
  registry: Registry,
  baseUrl = registry.service.base_url,
  { name = `${registry.service.id}-client`, isPython = false, ...about }: About
): Readonly<Record<string, string>> {
  const now = new Date()
  const document = discoveryModules
    .get('openapi')
    ?.build(withBaseUrl(registry, baseUrl), { params: {}, query: {} }, { now, startedAt: now, subsystems: {} })
  if (!isObject(document)) throw new Error('The framework has no OpenAPI document.')
  return (isPython ? pythonFiles : clientFiles)(document, { name, ...about })
}
