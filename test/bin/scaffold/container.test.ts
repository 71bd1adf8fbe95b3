import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { variables } from '../../../bin/config.ts'
import { packageManagers } from '../../../bin/package-managers.ts'
import { packageFolder } from '../../../bin/project.ts'
import { containerFiles, databaseService, servingStage } from '../../../bin/scaffold/container.ts'

type Composed = Readonly<{
  services: Readonly<Record<string, Readonly<{ environment: Record<string, string> }>>>
  volumes: Readonly<Record<string, null>>
}>

const linesOf = (text = ''): readonly string[] => text.split('\n')

t.test('the image of this repository serves as the images of new services do', t => {
  const own = readFileSync(join(packageFolder, 'Dockerfile'), 'utf8')
  t.ok(own.endsWith(`\n${servingStage('pantry', 'MIT', ['node', 'dist/bin/pantry.js', 'serve'])}`))
  const composed = readFileSync(join(packageFolder, 'compose.yaml'), 'utf8')
  t.ok(composed.includes(databaseService('2g')))
  t.end()
})

t.test('a new service is put into an image with the package manager that it has', t => {
  for (const manager of packageManagers) {
    const { Dockerfile, '.dockerignore': outside } = containerFiles('parks', manager)
    const lines = linesOf(Dockerfile)
    t.equal(lines.filter(line => /^RUN .*\binstall\b|^RUN .*\bci\b/.test(line)).length > 0, true, manager.name)
    t.match(Dockerfile, new RegExp(`RUN [^\n]*${manager.name === 'npm' ? 'npm ci' : `${manager.name} install`}`))
    t.ok(lines.includes('USER node'), 'it does not run as root')
    t.notMatch(Dockerfile, /--chown/, 'the code is not of the user that runs it')
    for (const name of ['node_modules', '.env', '.git', '.pantry']) t.ok(linesOf(outside).includes(name), name)
    for (const [, pair = ''] of (Dockerfile ?? '').matchAll(/^ENV (.*)$/gm))
      for (const name of pair.split(' ').map(one => one.split('=')[0] ?? ''))
        t.ok(/^(?:NODE_ENV$|MALLOC_)/.test(name) || variables.some(one => one.name === name), name)
  }
  t.end()
})

t.test('an image builds a service that has TypeScript, whatever it was begun as', t => {
  const root = t.testdir({ surfaces: { handlers: { 'hello.js': '' } } })
  for (const manager of packageManagers) {
    const { Dockerfile = '' } = containerFiles('parks', manager)
    const [, condition = ''] = /^RUN (if .*; fi) && /m.exec(Dockerfile) ?? []
    t.match(condition, /then node_modules\/\.bin\/pantry build; fi$/)
    const ran = (): string =>
      execFileSync('sh', ['-c', condition.replace('node_modules/.bin/pantry build', 'echo built')], {
        cwd: root,
        encoding: 'utf8'
      })
    t.equal(ran(), '', 'JavaScript runs as it is written')
    for (const file of ['surfaces/types.d.ts', 'surfaces/stops.tsv']) {
      writeFileSync(join(root, file), '')
      t.equal(ran(), '', file)
      rmSync(join(root, file))
    }
    for (const file of ['surfaces/handlers/later.ts', 'surfaces/view.tsx']) {
      writeFileSync(join(root, file), '')
      t.equal(ran(), 'built\n', file)
      rmSync(join(root, file))
    }
  }
  t.end()
})

t.test('an image says which release of what it is', t => {
  const { Dockerfile = '' } = containerFiles('parks', packageManagers[0]!)
  for (const text of [Dockerfile, readFileSync(join(packageFolder, 'Dockerfile'), 'utf8')]) {
    for (const label of ['title', 'licenses', 'version', 'revision', 'source'])
      t.match(text, new RegExp(`^LABEL .*org\\.opencontainers\\.image\\.${label}="[^"]+"`, 'm'), label)
    t.match(text, /^ARG NODE=.*\nFROM \$NODE AS build\n/m, 'a digest can be given')
    t.match(text, /^HEALTHCHECK --interval=\S+ --timeout=\S+ /m)
    t.match(text, /^RUN --mount=type=cache,target=\/root\/\.npm /m)
    t.notMatch(text, /--chown/)
  }
  t.end()
})

t.test('no container of a compose file can gain rights, write to its image or take all memory', t => {
  const { 'compose.yaml': fresh = '' } = containerFiles('parks', packageManagers[0]!)
  for (const text of [fresh, readFileSync(join(packageFolder, 'compose.yaml'), 'utf8')])
    for (const [name, service] of Object.entries((parse(text) as Composed).services))
      t.match(
        service,
        { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], mem_limit: /^\d+[mg]$/ },
        name
      )
  const { cache, database } = (parse(readFileSync(join(packageFolder, 'compose.yaml'), 'utf8')) as Composed).services
  for (const service of [cache, database])
    t.match(service, { healthcheck: { test: ['CMD'], interval: /s$/, timeout: /s$/ } })
  t.end()
})

t.test('it runs beside a database of its own, and can write nothing but its data', t => {
  const { 'compose.yaml': text = '' } = containerFiles('parks', packageManagers[0]!)
  const { services, volumes } = parse(text) as Composed
  t.strictSame(Object.keys(services), ['parks', 'database'])
  t.strictSame(Object.keys(volumes), ['data', 'database'])
  t.match(services['parks'], { tmpfs: ['/tmp'], volumes: ['data:/data'] })
  for (const name of Object.keys(services['parks']?.environment ?? {}))
    t.ok(
      variables.some(one => one.name === name),
      name
    )
  t.notMatch(text, /PASSWORD: [a-z]/i, 'no password is written down')
  t.end()
})
