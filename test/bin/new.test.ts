import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { kindNames } from '../../core/kinds/list.ts'
import { libraryIn, pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'

const { url } = await testDatabase(t, 'empty')

/** Fails unless a root is valid, with no warning but those about texts that only the author can write. */
async function isValid(t: Test, root: string): Promise<void> {
  const { code, stdout } = await pantry(['validate', '--root', root, '--format', 'json'])
  t.equal(code, 0, stdout)
  const told = JSON.parse(stdout) as readonly Readonly<{ code: string }>[]
  t.strictSame(
    told.filter(one => one.code !== 'M446'),
    []
  )
}

t.test('what is written for every kind is valid without a change, and served', async t => {
  const root = libraryIn(t.testdir())
  for (const kind of kindNames) {
    const { code, stdout, stderr } = await pantry(['new', kind, `fresh/${kind}`, '--root', root])
    t.equal(code, 0, stderr)
    for (const file of stdout.trimEnd().split('\n')) t.ok(existsSync(file), `${file} is there`)
  }
  await isValid(t, root)
  const env = { DATABASE_URL: url }
  t.equal((await pantry(['migrate', '--root', root], env)).code, 0)
  const get = async (path: string): Promise<unknown> =>
    JSON.parse((await pantry(['get', `/api/v1/fresh/${path}`, '--root', root], env)).stdout)
  t.match(await get('collection'), { data: { entries: [{ id: 'first' }] } })
  t.match(await get('entry/first'), { data: { entry: { id: 'first' } } })
  t.match(await get('handler'), { data: { message: 'hello' } })
  t.match(await get('rows'), { data: { entries: [{ id: 1, title: 'The first row' }] } })
  t.match(await get('row/1'), { data: { entry: { id: 1, title: 'The first row' } } })
})

t.test('a manifest is commented in the words of the schema', async t => {
  const root = libraryIn(t.testdir())
  const { stdout } = await pantry(['new', 'collection', 'koans', '--root', root, '--dry-run'])
  t.match(stdout, /^--- manifests\/koans\.yaml\n# The entries of a corpus, filtered and ordered\.\nkind: collection\n/)
  t.match(
    stdout,
    /# Who may call it: `public`, `user`, `agent`, `admin`, or an access kind of `service\.yaml`; or a list\. .*\naccess: public\n#/
  )
  t.match(stdout, /\n--- corpora\/koans\/schema\.yaml\n/)
  t.notOk(existsSync(join(root, 'manifests/koans.yaml')), 'a dry run writes nothing')
})

t.test('an entry names the schema of its corpus for editors', async t => {
  const root = libraryIn(t.testdir())
  t.equal((await pantry(['new', 'collection', 'koans', '--root', root])).code, 0)
  const [, schema = ''] =
    /^# yaml-language-server: \$schema=(\S+)\n/.exec(
      readFileSync(join(root, 'corpora/koans/entries/first.yaml'), 'utf8')
    ) ?? []
  t.ok(existsSync(join(root, 'corpora/koans/entries', schema)), 'a path from the file, as editors read it')
  t.equal(join('corpora/koans/entries', schema), 'corpora/koans/schema.yaml')
})

t.test('what is there is used: an entry joins the corpus and the path of its collection', async t => {
  const root = libraryIn(t.testdir())
  const { stdout } = await pantry(['new', 'entry', 'branch', '--corpus', 'branches', '--root', root])
  t.strictSame(stdout.trimEnd().split('\n'), [join(root, 'manifests/branch.yaml')])
  const text = readFileSync(join(root, 'manifests/branch.yaml'), 'utf8')
  t.match(text, /path: \/api\/v1\/library\/branches\/\{id\}\n/)
  t.match(text, /params: \{ id: hill-road \}/)
  t.equal((await pantry(['validate', '--root', root])).code, 0)
})

t.test('an entry below a list, by its path or by its id, is one of the corpus of that list', async t => {
  for (const args of [['branch', '--path', '/api/v1/library/branches/{code}'], ['branches/branch']]) {
    const root = libraryIn(t.testdir())
    const { stdout } = await pantry(['new', 'entry', ...args, '--root', root])
    t.strictSame(stdout.trimEnd().split('\n'), [join(root, `manifests/${args[0] ?? ''}.yaml`)], 'and no corpus is new')
    t.equal((await pantry(['validate', '--root', root])).code, 0)
  }
})

t.test('placeholders of the path get an example, and reach the handler', async t => {
  const root = libraryIn(t.testdir())
  t.equal((await pantry(['new', 'handler', 'greet', '--path', '/api/v1/greet/{name}', '--root', root])).code, 0)
  t.equal(
    (await pantry(['new', 'status-only', 'loan', '--path', '/api/v1/library/loans/{id}', '--root', root])).code,
    0
  )
  t.equal((await pantry(['validate', '--root', root])).code, 0)
  t.match(JSON.parse((await pantry(['get', '/api/v1/greet/you', '--root', root])).stdout), {
    data: { message: 'hello you' }
  })
})

t.test('nothing is overwritten', async t => {
  const root = libraryIn(t.testdir())
  const before = readFileSync(join(root, 'manifests/books.yaml'), 'utf8')
  t.match(await pantry(['new', 'collection', 'books', '--root', root]), {
    code: 2,
    stdout: '',
    stderr: /There is a surface `books` already: .*books\.yaml/
  })
  t.equal(readFileSync(join(root, 'manifests/books.yaml'), 'utf8'), before)
  t.equal((await pantry(['new', 'handler', 'dice', '--root', root])).code, 0)
})

t.test('ids and paths that cannot be are 2', async t => {
  const root = libraryIn(t.testdir())
  for (const id of ['../x', '/x', 'X', 'a//b', 'service', 'a.yaml/']) {
    t.match(
      await pantry(['new', 'document', id, '--root', root]),
      { code: 2, stderr: /The id must be a path below `manifests\/`/ },
      id
    )
  }
  t.match(await pantry(['new', 'document', 'x', '--path', 'x', '--root', root]), {
    code: 2,
    stderr: /must begin with `\/`/
  })
  t.match(await pantry(['new', 'document', 'x', '--path', '/x/{y}', '--root', root]), {
    code: 2,
    stderr: /has no placeholders/
  })
  t.match(await pantry(['new', 'entry', 'x', '--path', '/x', '--root', root]), {
    code: 2,
    stderr: /has one placeholder/
  })
  t.match(await pantry(['new', 'discovery', 'x', '--document', 'nothing', '--root', root]), {
    code: 2,
    stderr: /There is no discovery document `nothing`. Documents: \w+, /
  })
})

t.test('mistakes in other files do not matter, and are counted', async t => {
  const root = libraryIn(t.testdir())
  writeFileSync(join(root, 'manifests/branches.yaml'), 'kind: nothing\n')
  const { code, stdout, stderr } = await pantry(['new', 'collection', 'trees', '--root', root])
  t.equal(code, 0, stderr)
  t.match(stdout, /manifests\/trees\.yaml\n/)
  t.match(stderr, /\d mistakes? in other files: run `pantry validate`/)
})

t.test('a handler is plain JavaScript in a root without TypeScript, and uses what the root itself defines', async t => {
  const root = libraryIn(t.testdir())
  const written = async (): Promise<string> =>
    (await pantry(['new', 'handler', 'tools/dice', '--dry-run', '--root', root])).stdout
  t.match(
    await written(),
    /--- surfaces\/handlers\/tools\/dice\.js\n\/\/ @ts-check\nimport \{ defineHandler, reply, Type \} from 'pantry\/handler'\n/
  )
  mkdirSync(join(root, 'surfaces'))
  writeFileSync(join(root, 'surfaces/services.js'), 'export const defineHandler = definition => definition\n')
  t.match(
    await written(),
    /import \{ reply, Type \} from 'pantry\/handler'\nimport \{ defineHandler \} from '\.\.\/\.\.\/services\.js'\n/
  )
  writeFileSync(join(root, 'tsconfig.json'), '{}')
  t.match(await written(), /--- surfaces\/handlers\/tools\/dice\.ts\nimport/)
})

t.test('a handler whose id ends in a method has that method, and takes a body where the method has one', async t => {
  const root = libraryIn(t.testdir())
  for (const method of ['post', 'put', 'patch', 'delete']) {
    const { code, stderr } = await pantry(['new', 'handler', `corrections/x.${method}`, '--root', root])
    t.equal(code, 0, stderr)
    t.match(
      readFileSync(join(root, `manifests/corrections/x.${method}.yaml`), 'utf8'),
      new RegExp(`\\npath: /api/v1/corrections/x\\n(#.*\\n)*method: ${method.toUpperCase()}\\n`)
    )
    const text = readFileSync(join(root, `surfaces/handlers/corrections/x.${method}.js`), 'utf8')
    t.equal(text.includes('limitBytes'), method !== 'delete', method)
  }
  const named = ['new', 'handler', 'greet.post', '--path', '/api/v1/greet/{name}', '--root', root]
  t.equal((await pantry(named)).code, 0)
  await isValid(t, root)
  const post = async (path: string): Promise<unknown> =>
    JSON.parse((await pantry(['get', path, '--data', '{"message":"good day"}', '--root', root])).stdout)
  t.match(await post('/api/v1/corrections/x'), { data: { message: 'good day' } })
  t.match(await post('/api/v1/greet/you'), { data: { message: 'good day you' } })
})

t.test('a method that a kind does not have is 2', async t => {
  const root = libraryIn(t.testdir())
  for (const [kind, methods] of [
    ['collection', 'GET'],
    ['page', 'GET'],
    ['derived', 'GET'],
    ['witness', 'POST']
  ] as const)
    t.match(await pantry(['new', kind, 'corrections/x.put', '--root', root]), {
      code: 2,
      stdout: '',
      stderr: new RegExp(`\`${kind}\` answers only ${methods}, but the id \`corrections/x.put\` ends in \`\\.put\``)
    })
  t.match(await pantry(['new', 'witness', 'corrections/x.post', '--root', root, '--dry-run']), {
    code: 0,
    stdout: /^--- manifests\/corrections\/x\.post\.yaml\n/
  })
})
