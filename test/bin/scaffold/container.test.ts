import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { variables } from '../../../bin/config.ts'
import { packageManagers } from '../../../bin/package-managers.ts'
import { packageFolder } from '../../../bin/project.ts'
import { containerFiles, servingStage } from '../../../bin/scaffold/container.ts'

type Composed = Readonly<{
  services: Readonly<Record<string, Readonly<{ environment: Record<string, string>; read_only?: boolean }>>>
  volumes: Readonly<Record<string, null>>
}>

const linesOf = (text = ''): readonly string[] => text.split('\n')

t.test('the image of this repository serves as the images of new services do', t => {
  const own = readFileSync(join(packageFolder, 'Dockerfile'), 'utf8')
  t.ok(own.endsWith(`\n${servingStage('pantry', ['node', 'dist/bin/pantry.js', 'serve'])}`))
  t.end()
})

t.test('a new service is put into an image with the package manager that it has', t => {
  for (const manager of packageManagers)
    for (const isBuilt of [false, true]) {
      const { Dockerfile, '.dockerignore': outside } = containerFiles('parks', manager, isBuilt)
      const lines = linesOf(Dockerfile)
      t.equal(lines.filter(line => /^RUN .*\binstall\b|^RUN .*\bci\b/.test(line)).length > 0, true, manager.name)
      t.match(Dockerfile, new RegExp(`RUN [^\n]*${manager.name === 'npm' ? 'npm ci' : `${manager.name} install`}`))
      t.equal(Dockerfile?.includes(`${manager.name} run build`), isBuilt, 'what is compiled is built there')
      t.ok(lines.includes('USER node'), 'it does not run as root')
      t.notMatch(Dockerfile, /--chown/, 'the code is not of the user that runs it')
      for (const name of ['node_modules', '.env', '.git', '.pantry']) t.ok(linesOf(outside).includes(name), name)
      for (const [, pair = ''] of (Dockerfile ?? '').matchAll(/^ENV (.*)$/gm))
        for (const name of pair.split(' ').map(one => one.split('=')[0] ?? ''))
          t.ok(name === 'NODE_ENV' || variables.some(one => one.name === name), name)
    }
  t.end()
})

t.test('it runs beside a database of its own, and can write nothing but its data', t => {
  const { 'compose.yaml': text = '' } = containerFiles('parks', packageManagers[0]!, false)
  const { services, volumes } = parse(text) as Composed
  t.strictSame(Object.keys(services), ['parks', 'database'])
  t.strictSame(Object.keys(volumes), ['data', 'database'])
  t.match(services['parks'], { read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'], volumes: ['data:/data'] })
  for (const name of Object.keys(services['parks']?.environment ?? {}))
    t.ok(
      variables.some(one => one.name === name),
      name
    )
  t.notMatch(text, /PASSWORD: [a-z]/i, 'no password is written down')
  t.end()
})
