import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn, pantry } from '../../support/command-line.ts'

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8')

t.test('the client of a service has its own name, version and license, and asks its own address', async t => {
  const folder = t.testdir({ root: {} })
  const root = libraryIn(join(folder, 'root'))
  const made = join(folder, 'made')
  const write = async (...more: readonly string[]) =>
    await pantry(['client', made, '--root', root, ...more], { PANTRY_BASE_URL: 'https://library.example' })
  t.match(await write(), { code: 0, stdout: `${join(made, 'package.json')}\n`, stderr: `\`npm pack ${made}\`` })
  t.match(JSON.parse(read(made, 'package.json')), {
    name: 'river-street-library-client',
    version: '0.0.0',
    license: 'UNLICENSED'
  })
  t.match(read(made, 'index.d.ts'), /get_books .*[^]*get_status /)
  t.match(read(made, 'index.js'), '"https://library.example"')
  t.match(read(made, 'runtime.js'), /^export (?:class|function) |\nexport \{/m)
  t.notMatch(read(made, 'runtime.js'), /^import |: string/m, 'it imports nothing, and has no types')
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version: '3.1.0', license: 'CC0-1.0' }))
  writeFileSync(join(root, 'LICENSE'), 'Do what you like.\n')
  t.match(await write(), { code: 0 })
  t.match(JSON.parse(read(made, 'package.json')), { version: '3.1.0', license: 'CC0-1.0' })
  t.equal(read(made, 'LICENSE'), 'Do what you like.\n')
  t.match(await write('--name', 'books', '--release', '4.0.0', '--license', 'MIT'), { code: 0 })
  t.match(JSON.parse(read(made, 'package.json')), { name: 'books', version: '4.0.0', license: 'MIT' })
  for (const [language, file] of [
    [[], 'index.d.ts'],
    [['--python'], 'books/__init__.py']
  ] as const) {
    t.match(await write('--own', '--name', 'books', ...language), { code: 0 })
    t.match(read(made, file), 'get_books')
    t.notMatch(read(made, file), /get_status|HealthReport|ToolCatalog/, 'without what every service has')
    t.match(read(made, 'README.md'), 'client.get_books(')
  }
})
