import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageVersion } from '../../bin/project.ts'
import { kindNames } from '../../core/kinds/list.ts'
import { library, libraryIn, pantry } from '../support/command-line.ts'

const manifest = (text: string): string => `kind: document\npath: /api/v1/about\n${text}`

t.test('a root without mistakes prints nothing on stdout and one line on stderr', async t => {
  const { code, stdout, stderr } = await pantry(['validate', '--root', library])
  t.equal(code, 0)
  t.equal(stdout, '')
  t.match(stderr, /^\d+ surfaces checked in \d+\.\d s, 0 errors, 0 warnings\n$/)
})

t.test('mistakes are results', async t => {
  const root = libraryIn(t.testdir())
  writeFileSync(join(root, 'manifests/about.yaml'), manifest('pathh: /x\n'))
  writeFileSync(join(root, 'manifests/broken.yaml'), 'kind: [')
  const args = ['validate', '--root', root]

  const pretty = await pantry(args)
  t.equal(pretty.code, 1)
  t.match(pretty.stdout, /about\.yaml:3:1: error\[M203\]/)
  t.match(pretty.stdout, /broken\.yaml:/)
  t.match(pretty.stderr, /, \d+ errors, 0 warnings\n$/)
  t.notMatch(pretty.stdout, /\u001b/)

  const json = JSON.parse((await pantry([...args, '--format', 'json'])).stdout) as { code: string; file: string }[]
  t.ok(json.some(({ code, file }) => code === 'M203' && file.endsWith('about.yaml')))
  t.match((await pantry([...args, '--format', 'github'])).stdout, /^::error file=.*,line=\d+,col=\d+,title=M\d+::/)
  t.match(JSON.parse((await pantry([...args, '--format', 'sarif'])).stdout), {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'pantry',
            semanticVersion: packageVersion(),
            informationUri: 'http://127.0.0.1:8080/schemas/manifest-reference'
          }
        }
      }
    ]
  })
})

t.test('a report of a folder without a service names no address', async t => {
  const root = libraryIn(t.testdir())
  rmSync(join(root, 'manifests/service.yaml'))
  const {
    runs: [run]
  } = JSON.parse((await pantry(['validate', '--root', root, '--format', 'sarif'])).stdout) as {
    runs: [{ tool: { driver: object }; results: object[] }]
  }
  t.notOk('informationUri' in run.tool.driver)
  t.match(run.results, [{ ruleId: 'M423' }])
})

t.test('a manifest without a kind is told which kinds there are', async t => {
  const root = libraryIn(t.testdir())
  writeFileSync(join(root, 'manifests/about.yaml'), 'path: /api/v1/about\n')
  const { stdout } = await pantry(['validate', '--root', root])
  t.match(stdout, /about\.yaml:1:1: error\[M201\]: The manifest does not say its `kind`\./)
  t.ok(stdout.includes(`= Kinds: ${kindNames.map(name => `\`${name}\``).join(', ')}.\n`))
})

t.test('named files narrow what is shown and counted', async t => {
  const root = libraryIn(t.testdir())
  writeFileSync(join(root, 'manifests/about.yaml'), manifest(''))
  const one = await pantry(['validate', '--root', root, join(root, 'manifests/books.yaml')])
  t.match(one, { code: 0, stdout: '', stderr: /in other files not shown\n.* 0 errors, 0 warnings\n$/ })
  t.equal(
    (await pantry(['validate', '--root', root, join(root, 'manifests')])).code,
    1,
    'a folder stands for its files'
  )
  t.match(await pantry(['validate', '--root', root, 'manifests/never.yaml']), {
    code: 2,
    stderr: /There is no file `manifests\/never.yaml`/
  })
})

t.test('warnings are findings only where they are asked to be', async t => {
  const root = libraryIn(t.testdir())
  for (const name of ['books', 'book', 'today']) rmSync(join(root, `manifests/${name}.yaml`))
  const service = join(root, 'manifests/service.yaml')
  writeFileSync(
    service,
    readFileSync(service, 'utf8')
      .replace('surfaces: [books, today, branches]', 'surfaces: [branches]')
      .replace(', books: books', '')
      .replace(/^ {2}shelf_of_the_page: .*\n/m, '')
  )
  const { code, stderr } = await pantry(['validate', '--root', root])
  t.equal(code, 0)
  t.match(stderr, /0 errors, 1 warning\n$/)
  t.equal((await pantry(['validate', '--root', root, '--warnings-as-errors'])).code, 1)
})
