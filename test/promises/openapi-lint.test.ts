// test: long. Two large linters, installed apart: `npm ci --prefix test/tools`.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { firstServiceFiles } from '../../bin/scaffold/first-service.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { build, registry as madeUp } from '../core/discovery/fixture.ts'
import { registryOf } from '../support/registry.ts'

const tools = join(packageFolder, 'test', 'tools', 'node_modules')
const absent = existsSync(tools) ? false : 'the linters are not installed: npm ci --prefix test/tools'
const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
const run = promisify(execFile)

/**
 * Standard output of a linter. It runs beside the document, so that no configuration of the project is read; findings
 * make it exit with 1.
 */
async function lint(folder: string, script: string, args: readonly string[]): Promise<string> {
  try {
    return (
      await run(process.execPath, [join(tools, script), 'lint', 'openapi.json', ...args], {
        cwd: folder,
        env: environment,
        maxBuffer: 2 ** 26
      })
    ).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    if (stdout === '') throw new Error(stderr, { cause: error })
    return stdout
  }
}

const partition = <T>(list: readonly T[], is: (item: T) => boolean): readonly [T[], T[]] => [
  list.filter(is),
  list.filter(item => !is(item))
]

/** The folder of a service as `pantry init` begins it. */
function firstService(): string {
  const folder = t.testdir()
  for (const [name, text] of Object.entries(firstServiceFiles('trees', '2026-11-22', 'javascript'))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

function check(name: string, registry: Registry): void {
  t.test(`the OpenAPI document of ${name} has no finding`, { skip: absent }, async t => {
    const folder = t.testdir({
      'openapi.json': JSON.stringify(build('openapi', { registry })),
      'rules.yaml': 'extends: ["spectral:oas"]\n',
      'redocly.yaml': 'extends: [recommended-strict]\n'
    })
    const redocly = JSON.parse(
      await lint(folder, '@redocly/cli/bin/cli.js', ['--config=redocly.yaml', '--format=json'])
    ) as { problems: { ruleId: string; message: string; location: { pointer: string }[] }[] }
    // Both would have a success for operations that always fail, redocly also for those that redirect: a response that
    // nobody gets.
    const always = (least: number): number =>
      registry.surfaces.filter(({ status }) => status >= least).flatMap(({ route }) => route.methods).length
    const [expected, others] = partition(redocly.problems, ({ ruleId }) => ruleId === 'operation-2xx-response')
    t.equal(expected.length, always(300))
    t.same(
      others.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`),
      [],
      'redocly, recommended-strict'
    )
    const spectral = await lint(folder, '@stoplight/spectral-cli/dist/index.js', [
      '-r',
      'rules.yaml',
      '--fail-severity=warn',
      '--format=json',
      '--quiet'
    ])
    const findings = JSON.parse(spectral) as { code: string; message: string; path: string[] }[]
    const [alike, rest] = partition(findings, ({ code }) => code === 'operation-success-response')
    t.equal(alike.length, always(400))
    t.same(
      rest.map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`),
      [],
      'spectral:oas'
    )
  })
}

check('a made-up service with every kind of surface', madeUp)
const roots = join(packageFolder, 'test', 'fixture')
// Below `earlier` are services that an earlier version made: this one does not read them before they are upgraded.
for (const name of readdirSync(roots).filter(name => existsSync(join(roots, name, 'manifests'))))
  check(`the root test/fixture/${name}`, (await registryOf([join('test', 'fixture', name)])).registry)
check('what `pantry init` writes', (await registryOf([firstService()])).registry)
check('the shipped service', (await registryOf()).registry)

// That what was recorded has the published shape is what redocly has checked above.
