import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readFolder, shownPath } from '../../../core/source/read-folder.ts'

t.test('files are listed by name, hidden ones left out', t => {
  const root = t.testdir({ manifests: { 'b.yaml': 'b', a: { 'c.yaml': 'c' }, '.hidden': 'x', 'a.yaml': 'a' } })
  const { files, diagnostics } = readFolder(root, 'manifests')
  t.same(
    files.map(file => file.name),
    ['a/c.yaml', 'a.yaml', 'b.yaml']
  )
  t.equal(files[0]?.path, shownPath(join(root, 'manifests/a/c.yaml')))
  t.same(diagnostics, [])
  t.same(readFolder(root, 'corpora').files, [], 'a folder that is not there is empty')
  t.end()
})

t.test('links may point inside the root only', t => {
  const root = t.testdir({ root: { manifests: { 'a.yaml': 'a' } }, outside: { 'b.yaml': 'b' } })
  symlinkSync('./a.yaml', join(root, 'root/manifests/inside.yaml'))
  symlinkSync('../../outside', join(root, 'root/manifests/out'))
  symlinkSync('.', join(root, 'root/manifests/loop'))
  const { files, diagnostics } = readFolder(join(root, 'root'), 'manifests')
  t.same(
    files.map(file => file.name),
    ['a.yaml', 'inside.yaml']
  )
  t.same(
    diagnostics.map(one => one.code),
    ['M115', 'M115']
  )
  t.end()
})
