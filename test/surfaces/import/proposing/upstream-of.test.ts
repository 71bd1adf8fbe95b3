import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { upstreamOf } from '../../../../surfaces/import/proposing/new-entries.ts'
import { scratchFolder } from '../../../support/scratch.ts'

const folder = scratchFolder(t)
const of = (described: unknown): unknown => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(described))
  return upstreamOf(folder, 'lantern')
}

t.test('a package says its name, version, address and license', t => {
  t.same(
    of({
      name: '@a/b',
      version: '1.0.0-rc.1+2',
      license: 'MIT',
      repository: { url: 'git+https://user:secret@example.org/a/b.git' }
    }),
    { upstream: { name: '@a/b', url: 'https://example.org/a/b', version: '1.0.0-rc.1+2' }, license: 'MIT' }
  )
  t.end()
})

t.test('what is no name, version or license is not taken over, and a description may be anything', t => {
  const nothing = { upstream: { name: 'lantern' }, license: undefined }
  t.same(
    of({ name: '\u001b[31mevil', version: '1.0\u0007', license: 'MIT\nid: other', repository: 'javascript:alert(1)' }),
    nothing
  )
  for (const described of [null, [], 'text', 1]) t.same(of(described), nothing)
  t.end()
})
