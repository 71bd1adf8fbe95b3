import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isObject } from '../../core/canonical/json.ts'
import { discoveryModules } from '../../core/discovery/index.ts'
import { withBaseUrl } from '../../core/registry/load.ts'
import { readConfig } from '../config.ts'
import { processIo } from '../io.ts'
import { packageFolder } from '../project.ts'
import { requireRegistry } from '../read-registry.ts'
import { clientFiles, type ClientPackage } from './client/files.ts'
import { makeTarball } from './package.ts'

/**
 * Creates `<service id>-client-<version>.tgz` in the given folder (default: the working folder): a typed client for the
 * named roots, or else the project.
 */

const {
  values: { root },
  positionals: [target = '.']
} = parseArgs({ allowPositionals: true, options: { root: { type: 'string', multiple: true, default: [] } } })
const { registry } = await requireRegistry(root, processIo())
const { baseUrl = registry.service.base_url } = readConfig(process.env)
const now = new Date()
const document = discoveryModules
  .get('openapi')
  ?.build(withBaseUrl(registry, baseUrl), { params: {}, query: {} }, { now, startedAt: now, subsystems: {} })
if (!isObject(document)) throw new Error('The framework has no OpenAPI document.')

const { version, license, engines } = JSON.parse(
  readFileSync(join(packageFolder, 'package.json'), 'utf8')
) as ClientPackage
// Several clients may be packed at the same time.
const staged = mkdtempSync(join(tmpdir(), 'pantry-client-'))
for (const [name, text] of Object.entries(
  clientFiles(document, { name: `${registry.service.id}-client`, version, license, engines })
))
  writeFileSync(join(staged, name), text)
cpSync(join(packageFolder, 'LICENSE'), join(staged, 'LICENSE'))
try {
  process.stdout.write(`${makeTarball(staged, target)}\n`)
} finally {
  rmSync(staged, { recursive: true })
}
