import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn, pantry } from '../../support/command-line.ts'

/** A root with this `service.yaml` and a surface that uses one of its words. */
function guestIn(folder: string, service: string): string {
  mkdirSync(join(folder, 'manifests'), { recursive: true })
  writeFileSync(join(folder, 'manifests', 'service.yaml'), service)
  writeFileSync(
    join(folder, 'manifests', 'birds.yaml'),
    `
kind: status-only
path: /api/v1/birds
summary: Whether birds are counted.
tags: [birds]
access: public
carries_pii: false
requires_consent: false
freshness: nest
license: CC0-1.0
sources: [self]
provenance: static
since: 2026-11-22
contract: envelope
status: 200
answer: { counted: true }
`
  )
  return folder
}

const words = 'freshness:\n  nest: { seconds: 60, meaning: While birds breed. }\n'
const validate = (...roots: readonly string[]): ReturnType<typeof pantry> =>
  pantry(['validate', '--warnings-as-errors', ...roots.flatMap(root => ['--root', root])])

t.test('a root may add words to a service without repeating who it is, before or after it', async t => {
  const [library, birds] = [libraryIn(join(t.testdir(), 'library')), guestIn(join(t.testdirName, 'birds'), words)]
  for (const roots of [
    [library, birds],
    [birds, library]
  ]) {
    t.match(await validate(...roots), { code: 0, stdout: '', stderr: /0 errors, 0 warnings\n$/ })
  }
  const { stdout } = await pantry(['get', '/api/v1/birds', '--root', birds, '--root', library])
  t.match(JSON.parse(stdout), { _meta: { freshness_seconds: 60, desk: { name: 'River Street Library' } } })
})

t.test('a word may have the name of what every object inherits', async t => {
  const birds = guestIn(join(t.testdir(), 'birds'), words.replace('nest', 'constructor'))
  const manifest = join(birds, 'manifests', 'birds.yaml')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('nest', 'constructor'))
  t.match(await validate(libraryIn(join(t.testdirName, 'library')), birds), { code: 0, stdout: '' })
})

t.test('a root that adds words and more is warned of what is not used, at its place', async t => {
  const [library, birds] = [
    libraryIn(join(t.testdir(), 'library')),
    guestIn(join(t.testdirName, 'birds'), `${words}suggestions: { birds: birds }\n`)
  ]
  const { code, stdout } = await validate(library, birds)
  t.equal(code, 1)
  t.match(
    stdout,
    /birds\/manifests\/service\.yaml:3:1: warning\[M429\]: `suggestions` is not used: [^\s]*library\/manifests\/service\.yaml says/
  )
})

t.test('a whole service may be joined to another one, and a note says what of it is not used', async t => {
  const library = libraryIn(join(t.testdir(), 'library'))
  const service =
    'id: birds\nname: Birds\nsummary: Birds of the town.\nbase_url: http://birds.example\ncontact: { email: desk@birds.example, response_hours: 48 }\ninvariants: [No nest is shown.]\n'
  const { code, stderr } = await validate(library, guestIn(join(t.testdirName, 'birds'), service + words))
  t.equal(code, 0)
  t.match(
    stderr,
    /note: [^\s]*birds\/manifests\/service\.yaml is joined to the service of [^\s]*library\/manifests\/service\.yaml\. Only its words are used, not `id`, .*`invariants`\.\n/
  )
})

t.test('without an identity the first file is told what it needs', async t => {
  const { code, stdout } = await validate(guestIn(join(t.testdir(), 'birds'), words))
  t.equal(code, 1)
  for (const name of ['id', 'name', 'summary', 'base_url', 'contact'])
    t.match(
      stdout,
      new RegExp(`M202[^\\n]*\`${name}\``),
      readFileSync(join(t.testdirName, 'birds/manifests/service.yaml'), 'utf8')
    )
})

t.test('a word that differs from one of the framework is said to do so', async t => {
  const library = libraryIn(join(t.testdir(), 'library'))
  const service = join(library, 'manifests', 'service.yaml')
  writeFileSync(service, readFileSync(service, 'utf8').replace(/^ {2}directory: .*\n/m, ''))
  const { stdout } = await validate(
    library,
    guestIn(join(t.testdirName, 'birds'), `${words}  directory: { seconds: 7, meaning: Much too short. }\n`)
  )
  t.match(stdout, /error\[M422\]: `directory` means something else in the framework\./)
})
