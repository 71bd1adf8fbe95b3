// test: slow.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import initSqlJs from 'sql.js'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../../bin/roots.ts'
import { pantry, type Outcome } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'

const rows = ['id,name,kind,height,founded', '1,Ashport,town,4.5,1612-05-01', '2,Dunmere,village,12,1688-09-14']
const villages = Array.from({ length: 8 }, (_, at) => `${at + 3},Village ${at},village,${at},1700-01-01`)
const file = 'places.csv'

/** A folder with the package and a file. */
function folderWith(name: string): string {
  const folder = join(t.testdir(), name)
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(packageFolder, join(folder, 'node_modules', 'pantry'))
  writeFileSync(join(folder, file), `${[...rows, ...villages].join('\n')}\n`)
  writeFileSync(join(folder, 'package.json'), '{}')
  return folder
}

async function inFolder(url: string, folder: string, ...args: readonly string[]): Promise<Outcome> {
  const before = process.cwd()
  process.chdir(folder)
  try {
    return await pantry(args, { DATABASE_URL: url, PORT: '0' })
  } finally {
    process.chdir(before)
  }
}

t.test('one command makes a service of a file, valid and filled', async t => {
  const { url } = await testDatabase(t, 'empty')
  const folder = folderWith('keyed')
  const from = ['--from', file, '--key', 'id', '--search', 'name', '--no-install']
  const { code, stderr } = await inFolder(
    url,
    folder,
    'init',
    'places',
    ...from,
    '--license',
    'CC-BY-4.0',
    '--source',
    'Us.'
  )
  t.equal(code, 0, stderr)
  t.match(stderr, /10 rows are new in `places`/)
  t.match(
    readFileSync(join(folder, 'manifests/places.yaml'), 'utf8'),
    /search: true\nfilters: \[kind\]\nsort: \[height, founded\]\n/
  )
  t.match(
    readFileSync(join(folder, 'manifests/service.yaml'), 'utf8'),
    /\n  data: \{ license: CC-BY-4\.0, meaning: "Us\." \}\n$/
  )
  const validated = await inFolder(url, folder, 'validate')
  t.match(validated, { code: 0, stderr: / 0 errors, 3 warnings/ })
  for (const place of ['summary', 'contact.email', 'tiers.CC-BY-4.0.meaning'])
    t.match(validated.stdout, `warning[M446]: \`${place}\` is still the text of the template.`)
  const misspelt = await inFolder(url, folder, 'get', '/api/v1/places?knid=town')
  t.match(
    misspelt.stdout,
    /There is no query parameter `knid` here/,
    'a misspelt filter does not answer with every row'
  )
  const whole = await inFolder(url, folder, 'get', '/api/v1/places?all=true&format=csv')
  t.match(whole.stdout, /^id,/, 'all rows are one file')
  const asked = await inFolder(url, folder, 'get', '/api/v1/places?q=ashport&kind=town&sort=-height')
  t.match(JSON.parse(asked.stdout), { data: { returned: 1, entries: [{ id: 1, founded: '1612-05-01' }] } })
  const listed = await inFolder(url, folder, 'get', '/sitemap-places.xml')
  t.match(listed.stdout, /<loc>http:[^<]*\/api\/v1\/places\/1<\/loc>/, 'search engines find the page of each row')
  const migrated = await inFolder(url, folder, 'migrate')
  t.notMatch(migrated.stderr, /D10/, 'the table is as it is declared')
  const tested = await inFolder(url, folder, 'test')
  t.equal(tested.code, 0, tested.stdout)
})

t.test('a list over a table that was loaded offers what that of `init --from` does', async t => {
  const { url } = await testDatabase(t, 'empty')
  const folder = folderWith('both')
  const how = ['--key', 'id', '--search', 'name']
  const from = ['--from', file, ...how, '--no-install', '--license', 'CC0-1.0']
  for (const args of [
    ['init', 'places', ...from],
    ['load', file, '--table', 'isles', ...how],
    ['table', 'isles', '--license', 'CC0-1.0'],
    ['new', 'rows', 'isles'],
    ['new', 'row', 'isles/entry', '--corpus', 'isles']
  ]) {
    const { code, stderr } = await inFolder(url, folder, ...args)
    t.equal(code, 0, stderr)
    t.notMatch(stderr, /No words|cannot be asked/)
  }
  const ownWords = ['path', 'summary', 'tags', 'freshness', 'provenance', 'sources', 'corpus', 'member']
  const offered = (name: string): object => {
    const text = readFileSync(join(folder, 'manifests', `${name}.yaml`), 'utf8')
    return Object.fromEntries(Object.entries(parse(text) as object).filter(([field]) => !ownWords.includes(field)))
  }
  t.match(offered('isles'), { search: true, filters: ['kind'], sort: ['height', 'founded'] })
  t.same(offered('isles'), offered('places'))
  t.same(offered('isles/entry'), offered('places/entry'))
  t.equal((await inFolder(url, folder, 'validate')).code, 0)
  t.notMatch((await inFolder(url, folder, 'migrate')).stderr, /D10/, 'what is asked has an index')
  const asked = await inFolder(url, folder, 'get', '/api/v1/isles?q=ashport&kind=town&sort=-height')
  t.match(JSON.parse(asked.stdout), { data: { returned: 1, entries: [{ id: 1 }] } })
})

t.test('without a key the database numbers the rows', async t => {
  const { url } = await testDatabase(t, 'empty')
  const folder = folderWith('numbered')
  writeFileSync(join(folder, file), 'name,size\na,1\nb,2\n')
  const from = ['--from', file, '--no-install', '--license', 'CC0-1.0', '--type', 'size=text']
  const { code, stderr } = await inFolder(url, folder, 'init', 'things', ...from)
  t.equal(code, 0, stderr)
  t.match(JSON.parse((await inFolder(url, folder, 'get', '/api/v1/things/2')).stdout), {
    data: { entry: { id: 2, name: 'b', size: '2' } }
  })
})

t.test('rows that several columns identify are numbered, and loaded again by these columns', async t => {
  const { url } = await testDatabase(t, 'empty')
  const folder = folderWith('together')
  writeFileSync(join(folder, file), 'trip,place,at\na,1,x\na,2,y\n')
  const from = ['--from', file, '--key', 'trip,place', '--no-install', '--license', 'CC0-1.0']
  const { code, stderr } = await inFolder(url, folder, 'init', 'times', ...from)
  t.equal(code, 0, stderr)
  t.match(await inFolder(url, folder, 'load', file, '--table', 'times', '--key', 'trip,place'), {
    code: 0,
    stderr: /2 took the place of others/
  })
  t.match(JSON.parse((await inFolder(url, folder, 'get', '/api/v1/times/2')).stdout), {
    data: { entry: { id: 2, trip: 'a', place: 2 } }
  })
  const migrated = await inFolder(url, folder, 'migrate')
  t.notMatch(migrated.stderr, /D10/, 'the table is as it is declared')
})

t.test('what was said of the form of a file holds for its rows too', async t => {
  const { url } = await testDatabase(t, 'empty')
  const folder = folderWith('said')
  writeFileSync(join(folder, 'feed'), 'key;name, first\na;b\n')
  const said = ['--file-format', 'csv', '--separator', ';']
  const from = ['--from', 'feed', ...said, '--key', 'key', '--no-install', '--license', 'CC0-1.0']
  const { code, stderr } = await inFolder(url, folder, 'init', 'feed', ...from)
  t.equal(code, 0, stderr)
  t.match(stderr, /1 rows are new in `feed`/)
})

t.test('a table of an SQLite file becomes a service too', async t => {
  const { url } = await testDatabase(t, 'empty')
  const folder = folderWith('stored')
  const { Database } = await initSqlJs()
  const database = new Database()
  database.run('create table islands (id integer primary key, name text); create table other (id integer)')
  database.run("insert into islands values (1, 'Ashport')")
  writeFileSync(join(folder, 'sea.db'), database.export())
  database.close()
  const from = ['--from', 'sea.db', '--from-table', 'islands', '--key', 'id', '--license', 'CC0-1.0']
  const { code, stderr } = await inFolder(url, folder, 'init', 'isles', ...from, '--no-install')
  t.equal(code, 0, stderr)
  t.match(JSON.parse((await inFolder(url, folder, 'get', '/api/v1/isles/1')).stdout), {
    data: { entry: { id: 1, name: 'Ashport' } }
  })
})

t.test('what is missing is told, and nothing is written', async t => {
  const url = 'postgresql://nobody@127.0.0.1:1/none'
  const folder = folderWith('told')
  const told = (...args: readonly string[]): Promise<Outcome> =>
    inFolder(url, folder, 'init', 'towns', '--no-install', ...args)
  t.match(await told('--from', file), { code: 2, stderr: /--license CC0-1\.0, CC-BY-4\.0 or another/ })
  t.match(await told('--from', 'none.csv', '--license', 'CC0-1.0'), { code: 2, stderr: /There is no file/ })
  t.match(await told('--from', '.', '--license', 'CC0-1.0'), { code: 2, stderr: /`\.` is a folder, and no file/ })
  t.match(await told('--from', file, '--license', 'CC0-1.0'), { code: 2, stderr: /name one with --key/ })
  t.match(await told('--from', file, '--license', 'CC0 1.0'), { code: 2, stderr: /must be a short name/ })
  t.match(await told('--from', file, '--license', 'CC0-1.0', '--typescript'), { code: 2, stderr: /no code/ })
  t.notOk(existsSync(join(folder, 'manifests')))
})
