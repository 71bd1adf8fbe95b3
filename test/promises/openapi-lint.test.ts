import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { loadRoots, packageFolder } from '../../bin/roots.ts'
import { kinds } from '../../core/kinds/index.ts'
import { loadRegistry } from '../../core/registry/load.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { build, registry as madeUp } from '../core/discovery/fixture.ts'

const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
const run = promisify(execFile)

/** Standard output of a linter. It runs beside the document, so that no configuration of the project is read; findings make it exit with 1. */
async function lint (folder: string, script: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(process.execPath, [join(packageFolder, 'node_modules', script), 'lint', 'openapi.json', ...args], { cwd: folder, env: environment, maxBuffer: 2 ** 26 })).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string, stderr?: string }
    if (stdout === '') throw new Error(stderr, { cause: error })
    return stdout
  }
}

function check (name: string, registry: Registry): void {
  t.test(`the OpenAPI document of ${name} has no finding`, async t => {
    const folder = t.testdir({ 'openapi.json': JSON.stringify(build('openapi', { registry })), 'rules.yaml': 'extends: ["spectral:oas"]\n' })
    const redocly = JSON.parse(await lint(folder, '@redocly/cli/bin/cli.js', ['--extends=recommended-strict', '--format=json'])) as { totals: object, problems: { ruleId: string, message: string, location: { pointer: string }[] }[] }
    t.same(redocly.problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`), [], 'redocly, recommended-strict')
    t.same(redocly.totals, { errors: 0, warnings: 0, ignored: 0 })
    const spectral = await lint(folder, '@stoplight/spectral-cli/dist/index.js', ['-r', 'rules.yaml', '--fail-severity=warn', '--format=json', '--quiet'])
    const findings = JSON.parse(spectral) as { code: string, message: string, path: string[] }[]
    t.same(findings.map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`), [], 'spectral:oas')
  })
}

check('a made-up service with every kind of surface', madeUp)

const { registry: shipped } = loadRegistry({ roots: await loadRoots([]), kinds })
if (shipped === undefined) t.fail('the shipped service does not load; see `pantry validate`')
else check('the shipped service', shipped)
