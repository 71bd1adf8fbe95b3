import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/roots.ts'
import { digestOf, isSame, newSecret } from '../../../core/access/access.ts'

t.test('secrets are 256 random bits, stored as a hash', t => {
  t.match(newSecret(), /^[\w-]{43}$/)
  t.not(newSecret(), newSecret())
  t.match(digestOf('a'), /^[0-9a-f]{64}$/)
  t.same(
    [isSame('a', 'a'), isSame('a', 'b'), isSame('a', 'aa'), isSame('', '')],
    [true, false, false, true],
    'also of different lengths'
  )
  t.end()
})

t.test(
  'what a caller presents is compared in constant time, or looked up by its hash: no operator stands beside a secret',
  t => {
    const secret = String.raw`(?:\w+\??\.)*(?:digest|secret|formToken|form_token|digestOf\([^)]*\))(?![\w.(])`
    const operator = new RegExp(
      String.raw`(?<![\w.'-])${secret}\s*[!=]==?\s*(?!undefined|null|'')|[!=]==?\s*${secret}(?!')`
    )
    const files = ['surfaces/people', 'surfaces/handlers', 'core/access', 'core/kinds/page', 'core/plan'].flatMap(
      folder =>
        readdirSync(join(packageFolder, folder), { recursive: true, encoding: 'utf8' })
          .filter(name => name.endsWith('.ts'))
          .map(name => `${folder}/${name}`)
    )
    t.ok(files.length > 20, `${files.length} files`)
    for (const file of files)
      for (const [at, line] of readFileSync(join(packageFolder, file), 'utf8').split('\n').entries())
        t.notMatch(line, operator, `${file}:${at + 1}`)
    t.match(readFileSync(join(packageFolder, 'core/access/access.ts'), 'utf8'), /isSame =[^]*?timingSafeEqual\(/)
    t.end()
  }
)
