// test: long. Pages of what doors export, by a program installed apart: `npm ci --prefix test/tools`.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../bin/project.ts'
import { scratchFolder } from './support/scratch.ts'

const tools = join(packageFolder, 'test/tools')
const skip = existsSync(join(tools, 'node_modules/typedoc'))
  ? false
  : 'what writes the pages is not installed: npm ci --prefix test/tools'

t.test(
  'a door has a page; what it exports without a comment, and a link that leads nowhere, fail',
  { skip },
  async t => {
    const folder = scratchFolder(t)
    const write = (file: string, text: string): void => {
      writeFileSync(join(folder, file), text)
    }
    const run = () =>
      spawnSync(
        process.execPath,
        [
          join(tools, 'api-pages.mjs'),
          ...['--doors', folder],
          ...['--tsconfig', join(folder, 'tsconfig.json')],
          ...['--out', join(folder, 'pages')]
        ],
        { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } }
      )
    const door = '/**\n * A small door.\n *\n * @module\n */\n'
    const key = '/** Opens the door. */\nexport const key = 1\n'
    write('tsconfig.json', JSON.stringify({ compilerOptions: { types: [] }, include: ['*.ts'] }))
    write('index.ts', `${door}${key}`)
    write('side.ts', `${door}${key}export { key as other } from './index.js'\n`)
    t.match(run(), { status: 0, stderr: '', stdout: '2 doors' })
    t.match(readFileSync(join(folder, 'pages/modules/pantry_side.html'), 'utf8'), /A small door\./)
    t.match(readFileSync(join(folder, 'pages/variables/pantry.key.html'), 'utf8'), /Opens the door\./)

    write('side.ts', `${door}${key}export function open(): void {}\n`)
    t.match(run(), { status: 1, stderr: /open of pantry\/side has no comment\./ })
    write('side.ts', key)
    t.match(run(), { status: 1, stderr: /pantry\/side has no comment\./ })
    write('side.ts', `${door}/** See {@link missing}. */\nexport const key = 1\n`)
    t.match(run(), { status: 1, stderr: /missing/ })
  }
)
