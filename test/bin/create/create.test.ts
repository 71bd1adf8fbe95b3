import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { create } from '../../../bin/create/create.ts'
import { scratchFolder } from '../../support/scratch.ts'

/** A package manager that installs a Pantry which notes what it is asked for. */
const manager = `#!/bin/sh
echo "$*" > ../installed.txt
mkdir -p node_modules/pantry
echo '{ "bin": { "pantry": "note.cjs" } }' > node_modules/pantry/package.json
echo 'require("fs").writeFileSync("../asked.json", JSON.stringify(process.argv.slice(2)))' > node_modules/pantry/note.cjs
`

type Told = Readonly<{ code: number; told: string; folder: string }>

async function creating(folder: string, args: readonly string[], answer?: string, program = manager): Promise<Told> {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(folder, 'places.csv'), 'id,name\n1,Ashport\n')
  for (const name of ['npm', 'pnpm']) {
    writeFileSync(join(bin, name), program)
    chmodSync(join(bin, name), 0o755)
  }
  const [input, output] = [new PassThrough(), new PassThrough()]
  if (answer !== undefined) input.end(`${answer}\n`)
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, npm_config_user_agent: 'pnpm/10.1.0 node/v22.0.0' }
  const code = await create(args, {
    cwd: folder,
    env,
    version: '1.2.3',
    input,
    output,
    isTerminal: answer !== undefined
  })
  output.end()
  return { code, told: (await output.toArray()).map(String).join(''), folder }
}

const asked = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'asked.json'), 'utf8'))

t.test('a folder is made, Pantry of the same version installed there, and init asked with the options', async t => {
  const { code, told, folder } = await creating(scratchFolder(t), ['trees', '--typescript'])
  t.equal(code, 0, told)
  t.match(told, /`cd trees`/)
  t.equal(readFileSync(join(folder, 'installed.txt'), 'utf8'), 'add --save-exact pantry@1.2.3\n')
  t.strictSame(asked(folder), ['init', 'trees', '--typescript'])
  t.match(JSON.parse(readFileSync(join(folder, 'trees', 'package.json'), 'utf8')), { name: 'trees', private: true })
  t.match(await creating(folder, ['trees']), { code: 2, told: /is there already, and is not empty/ })
})

t.test('a file is named from where the user is, and a terminal is asked for the license', async t => {
  const { code, told, folder } = await creating(
    scratchFolder(t),
    ['places', '--from=places.csv', '--key', 'id'],
    'CC-BY-4.0'
  )
  t.equal(code, 0, told)
  t.match(told, /License of the rows/)
  t.strictSame(asked(folder), [
    'init',
    'places',
    '--key',
    'id',
    '--from',
    join('..', 'places.csv'),
    '--license',
    'CC-BY-4.0'
  ])
  const given = await creating(scratchFolder(t), [
    'places',
    '--from',
    'places.csv',
    '--license',
    'MIT',
    '--package',
    'p.tgz'
  ])
  t.equal(given.code, 0, given.told)
  t.equal(
    readFileSync(join(given.folder, 'installed.txt'), 'utf8'),
    `add --save-exact ${join(given.folder, 'p.tgz')}\n`
  )
})

t.test('what is missing is told before anything is made', async t => {
  const folder = scratchFolder(t)
  for (const [args, told] of [
    [[], /^Usage: npm create pantry/],
    [['Trees!'], /lowercase words/],
    [['towns', '--from', 'none.csv'], /There is no file `none\.csv`/],
    [['towns', '--from', 'places.csv'], /--license CC0-1\.0, CC-BY-4\.0 or another/]
  ] as const)
    t.match(await creating(folder, args), { code: 2, told })
  t.match(await creating(folder, ['towns', '--from', 'places.csv'], ''), { code: 2, told: /--license/ })
  t.match(await creating(folder, ['towns'], undefined, '#!/bin/sh\nexit 1\n'), {
    code: 3,
    told: /could not be installed with `pnpm add --save-exact pantry@1\.2\.3`\. No service was made/
  })
  t.notOk(existsSync(join(folder, 'towns')))
})
