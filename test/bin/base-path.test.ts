import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { library, libraryIn, pantry } from '../support/command-line.ts'

const address = { PANTRY_BASE_URL: 'https://data.example.org/pantry/' }

t.test('commands take a path with or without the one that the service is under', async t => {
  for (const path of ['/api/v1/library/books', '/pantry/api/v1/library/books']) {
    const { code, stdout } = await pantry(['get', path, '--root', library], address)
    t.equal(code, 0)
    t.match(JSON.parse(stdout), { _meta: { endpoint: '/pantry/api/v1/library/books' } })
  }
})

t.test('doctor lists what a proxy has to pass on', async t => {
  const args = ['doctor', '--root', library, '--format', 'json']
  const find = (text: string): { detail: string } | undefined =>
    (JSON.parse(text) as { name: string; detail: string }[]).find(({ name }) => name === 'path')
  t.match(
    find((await pantry(args, address)).stdout)?.detail,
    /: \/pantry\/, .*\/\.well-known\/mcp\.json.*\/robots\.txt\.$/
  )
  t.equal(find((await pantry(args)).stdout), undefined)
})

t.test('the path of service.yaml is that of documents and of commands', async t => {
  const root = libraryIn(t.testdir())
  const file = join(root, 'manifests/service.yaml')
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/^base_url: .*$/m, 'base_url: https://books.example/reading/room/')
  )
  t.match(await pantry(['validate', '--root', root]), { code: 0 })
  t.match(JSON.parse((await pantry(['get', '/api/openapi.json', '--root', root])).stdout), {
    servers: [{ url: 'https://books.example/reading/room' }]
  })
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^base_url: .*$/m, 'base_url: https://books.example/a.b'))
  t.match(await pantry(['validate', '--root', root]), { code: 1, stdout: /M206/ })
})
