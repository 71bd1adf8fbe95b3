import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { library, libraryIn, pantry } from '../../support/command-line.ts'
import { museum } from '../../support/registry.ts'

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}.`)
  writeFileSync(file, text.replace(from, to))
}

t.test('two folders: every change is rated, and the gravest decides the exit code', async t => {
  const root = libraryIn(t.testdir())
  rmSync(join(root, 'manifests/today.yaml'))
  edit(join(root, 'manifests/service.yaml'), 'surfaces: [books, today, branches]', 'surfaces: [books, branches]')
  edit(join(root, 'manifests/books.yaml'), 'Books on the shelves, newest first.', 'Books, newest first.')
  await pantry(['new', 'document', 'about', '--root', root])

  const { code, stdout, stderr } = await pantry(['diff', library, root])
  t.equal(code, 0)
  t.match(
    stdout,
    /^IMPACT +SUBJECT +CHANGE\nbreaking +GET \/api\/v1\/library\/today +is no longer served\nadditive +GET \/api\/v1\/about +is new\n/
  )
  t.match(stdout, /documentation +GET \/api\/v1\/library\/books +summary changes\n/)
  t.match(stderr, /^1 breaking, 1 additive, \d+ documentation /)

  t.equal((await pantry(['diff', library, root, '--fail-on', 'breaking'])).code, 1)
  t.equal(
    (await pantry(['diff', root, '--root', root, '--fail-on', 'documentation'])).code,
    0,
    'without a head it is the root as it is'
  )
  t.match(
    (await pantry(['diff', library, root, '--format', 'md'])).stdout,
    /^## Breaking\n\n- `GET \/api\/v1\/library\/today`: is no longer served\n\n## Additive\n/
  )
  t.match(JSON.parse((await pantry(['diff', library, root, '--format', 'json'])).stdout), [
    { impact: 'breaking', subject: 'GET /api/v1/library/today' }
  ])
})

t.test('the languages of a service are compared once, not for each page of the framework', async t => {
  const speaking = (name: string, languages: string): string => {
    const root = join(t.testdirName, name)
    cpSync(museum, root, { recursive: true })
    appendFileSync(join(root, 'manifests/service.yaml'), `languages: [${languages}]\n`)
    return root
  }
  t.testdir()
  const [one, two, three] = [speaking('one', 'en'), speaking('two', 'en, de'), speaking('three', 'en, de, fr')]
  const changes = async (base: string, head: string): Promise<unknown> =>
    JSON.parse((await pantry(['diff', base, head, '--format', 'json'])).stdout)
  t.same(await changes(three, two), [{ impact: 'breaking', subject: 'service', message: 'language fr is gone' }])
  t.same(await changes(two, three), [{ impact: 'additive', subject: 'service', message: 'language fr is new' }])
  t.same(await changes(two, one), [{ impact: 'breaking', subject: 'service', message: 'language de is gone' }])
  t.same(await changes(one, two), [{ impact: 'additive', subject: 'service', message: 'language de is new' }])
})

t.test('a git revision', { skip: spawnSync('git', ['--version']).status === 0 ? false : 'no git here' }, async t => {
  const folder = t.testdir()
  const root = libraryIn(join(folder, 'roots', 'library'))
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', folder, '-c', 'user.name=test', '-c', 'user.email=test@example.org', ...args], {
      stdio: 'ignore'
    })
  }
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'First.')
  rmSync(join(root, 'manifests/loans.yaml'))

  const { code, stdout, stderr } = await pantry(['diff', 'HEAD', '--root', root, '--fail-on', 'breaking'])
  t.equal(code, 1, stderr)
  t.match(stdout, /breaking +GET \/api\/v1\/library\/loans +is no longer served/)
  t.notMatch(stdout, /\/api\/v1\/status/, 'nothing else differs')
  t.same(
    await pantry(['diff', 'HEAD', '--root', root, '--root', 'pantry/keys', '--fail-on', 'breaking']),
    { code, stdout, stderr },
    'a package after it is no root that has revisions'
  )
  const status = execFileSync('git', ['-C', folder, 'status', '--porcelain'], { encoding: 'utf8' })
  t.equal(status.trim(), 'D roots/library/manifests/loans.yaml', 'the work tree and its index are left alone')

  t.match(await pantry(['diff', 'no-such-branch', '--root', root]), {
    code: 2,
    stderr: /`no-such-branch` is neither a root folder .* nor a git revision/
  })
  t.match(await pantry(['diff', '--root', root, '--', '--help']), { code: 2, stderr: /is neither a root folder/ })
})
