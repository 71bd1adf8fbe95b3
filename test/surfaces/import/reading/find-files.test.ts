import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { findFiles } from '../../../../surfaces/import/reading/files.ts'
import { scratchFolder } from '../../../support/scratch.ts'

const folder = scratchFolder(t)
for (const path of ['b/cards.json', 'a/cards.json', 'a/core.fr.json', 'a/.hidden.json', 'c/other.txt', 'B side.json']) {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), '[]')
}
const find = async (path: string): Promise<unknown> =>
  (await findFiles(folder, { shape: 'json', path, set: { lang: 'en' } })).map(({ path: found, file }) => [
    relative(folder, found),
    file['name']
  ])

t.test('a star matches any part of one name, hidden files excepted; byte order', async t => {
  t.same(await find('a/*.json'), [
    ['a/cards.json', 'cards'],
    ['a/core.fr.json', 'core']
  ])
  t.same(await find('*/cards.json'), [
    ['a/cards.json', 'cards'],
    ['b/cards.json', 'cards']
  ])
  t.same(await find('*.json'), [['B side.json', 'B side']])
  t.same(await find('a/c*s.json'), [['a/cards.json', 'cards']])
})

t.test('what a pattern does not find is an error; a plain path is for the reader to open', async t => {
  await t.rejects(find('x*.json'), { message: 'No file in the folder of the source is called `x*.json`.' })
  t.same(await find('missing.json'), [['missing.json', 'missing']])
})

t.test('what is neither a file nor a folder is not opened: it may never end', async t => {
  symlinkSync('/dev/zero', join(folder, 'endless.json'))
  await t.rejects(find('endless.json'), { message: '`endless.json` is no regular file.' })
})

t.test(
  'a word in braces is any part of one name, and is read as a member of the file; exceptions are left out',
  async t => {
    const files = await findFiles(folder, {
      shape: 'json',
      path: '{kind}/{name_of_it}.json',
      except: ['b/*.json', 'a/core.fr.json']
    })
    t.same(
      files.map(({ path, file }) => [relative(folder, path), file]),
      [['a/cards.json', { name: 'cards', kind: 'a', name_of_it: 'cards' }]]
    )
    t.same(
      (await findFiles(folder, { shape: 'json', path: 'a/core.{lang}.json' })).map(({ file }) => file['lang']),
      ['fr']
    )
    await t.rejects(findFiles(folder, { shape: 'json', path: 'a/cards.json', except: ['*/cards.json'] }), {
      message: /No file/
    })
  }
)
