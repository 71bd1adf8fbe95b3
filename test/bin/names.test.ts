import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn, pantry } from '../support/command-line.ts'

const idsIn = async (root: string): Promise<string[]> => {
  const { stdout } = await pantry(['get', '/api/openapi.json', '--root', root])
  const { paths } = JSON.parse(stdout) as { paths: Record<string, Record<string, { operationId: string }>> }
  return Object.values(paths).flatMap(methods => Object.values(methods).map(({ operationId }) => operationId))
}

const toolsIn = async (root: string): Promise<string> => (await pantry(['get', '/api/v1/tools', '--root', root])).stdout

t.test('names are recorded, and stay: what comes and goes renames no other', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  const file = join(root, 'manifests', 'names.json')
  const copy = (from: string, to: string, path: string): void => {
    const text = readFileSync(join(root, 'manifests', from), 'utf8')
    writeFileSync(join(root, 'manifests', to), text.replace(/^path: .*$/m, `path: ${path}`))
  }

  writeFileSync(file, '{}\n')
  t.match(await pantry(['validate', '--root', root]), { code: 0, stdout: /warning\[M437\][^]*and \d+ more are not/ })
  t.equal((await pantry(['validate', '--warnings-as-errors', '--root', root])).code, 1)
  t.equal((await pantry(['test', '--record', '--root', root])).code, 0)
  const first = readFileSync(file, 'utf8')
  t.match(
    first,
    '\n"get_books": {"surface":"books","method":"GET","path":"/api/v1/library/books","tool":true},\n',
    'each on a line of its own'
  )
  t.match(await pantry(['validate', '--root', root]), { code: 0, stdout: '' })
  const before = await idsIn(root)

  copy('today.yaml', 'to-day.yaml', '/api/v1/to-day')
  copy('today.yaml', 'to_day.yaml', '/api/v1/to_day')
  renameSync(join(root, 'manifests/branches.yaml'), join(root, 'manifests/houses.yaml'))
  const service = join(root, 'manifests/service.yaml')
  writeFileSync(service, readFileSync(service, 'utf8').replace('[books, today, branches]', '[books, today, houses]'))
  const after = await idsIn(root)
  t.same(
    before.filter(name => !after.includes(name)),
    [],
    'each name is still there, also that of a renamed file'
  )
  t.match(await toolsIn(root), /"name":\s*"get_branches"/)
  t.match(await pantry(['validate', '--root', root]), {
    code: 0,
    stdout: /M437[^]*`get_to_day_\w{8}`, `get_to_day_\w{8}` are not/
  })
  t.equal((await pantry(['test', '--record', '--root', root])).code, 0)
  t.equal((await pantry(['validate', '--root', root])).stdout, '')

  rmSync(join(root, 'manifests/to-day.yaml'))
  t.match(await pantry(['validate', '--root', root]), {
    code: 1,
    stdout: /names\.json:\d+:1: error\[M436\]: `get_to_day_/
  })
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('"path":"/api/v1/to-day"', '"path":"/api/v1/to-day","deprecated":"2026-11-28"')
  )
  t.match(await pantry(['validate', '--root', root]), { code: 0, stdout: '' })
})

t.test('a name that is changed in the file is a breaking change', async t => {
  const folder = t.testdir()
  const [base, head] = [libraryIn(join(folder, 'base')), libraryIn(join(folder, 'head'))]
  for (const root of [base, head]) writeFileSync(join(root, 'manifests/names.json'), '{}\n')
  writeFileSync(
    join(head, 'manifests/names.json'),
    '{ "list_books": { "surface": "books", "method": "GET", "path": "/api/v1/library/books", "tool": true } }\n'
  )
  const { code, stdout } = await pantry(['diff', base, head, '--fail-on', 'breaking'])
  t.equal(code, 1)
  t.match(
    stdout,
    /breaking +GET \/api\/v1\/library\/books +the id of the operation changes from get_books to list_books/
  )
  t.match(stdout, /breaking +GET \/api\/v1\/library\/books +the name of the tool changes from get_books to list_books/)
})

t.test('a service without the file records no names', async t => {
  const root = libraryIn(join(t.testdir(), 'library'))
  t.equal((await pantry(['test', '--record', '--root', root])).code, 0)
  t.throws(() => readFileSync(join(root, 'manifests', 'names.json')))
  t.equal((await pantry(['validate', '--root', root])).stdout, '')
})
