import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FileProblem } from '../../../../surfaces/import/data-error.ts'
import { readMembers } from '../../../../surfaces/import/reading/shapes.ts'
import { scratchFolder } from '../../../support/scratch.ts'

const folder = scratchFolder(t)

async function count(name: string, text: string, shape: 'json' | 'yaml'): Promise<number> {
  const path = join(folder, name)
  writeFileSync(path, text)
  let members = 0
  for await (const part of readMembers({ path, declared: { shape, path: name }, file: {} }))
    members += part.members.length
  return members
}

t.test('YAML that grows without bound, or is deeper than a reader goes, is not YAML to us', async t => {
  const aliases = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...Array.from(
      'bcdefghij',
      (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[index]!}`).join(', ')}]`
    )
  ].join('\n')
  await t.rejects(count('aliases.yaml', aliases, 'yaml'), {
    name: 'SyntaxError',
    message: `${join(folder, 'aliases.yaml')} is not YAML.`
  })
  await t.rejects(count('deep.yaml', '['.repeat(20_000), 'yaml'), { name: 'SyntaxError' })
})

t.test('a tag that nobody knows warns of nothing: a warning would quote the text around it', async t => {
  const warnings: unknown[] = []
  const warned = (warning: unknown): void => {
    warnings.push(warning)
  }
  process.on('warning', warned)
  t.teardown(() => process.off('warning', warned))
  t.equal(await count('tag.yaml', 'price: !!secret 12.99\nb: 1', 'yaml'), 2)
  await new Promise(resolve => {
    setImmediate(resolve)
  })
  t.same(warnings, [])
})

t.test('a member may be as long as several pieces of its file', async t => {
  t.equal(await count('long.json', JSON.stringify([{ text: 'x'.repeat(10_000_000) }, 2]), 'json'), 2)
})

t.test('what a file of JSON lacks is said with its path, and of its text nothing', async t => {
  const reading = async (name: string, bytes: string | Buffer): Promise<void> => {
    const path = join(folder, name)
    writeFileSync(path, bytes)
    for await (const { members } of readMembers({
      path,
      declared: { shape: 'json', path: name, at: 'cards' },
      file: {}
    }))
      t.equal(members.length, 0)
  }
  await t.rejects(reading('other.json', '{"sets": []}'), {
    constructor: FileProblem,
    message: `${join(folder, 'other.json')}: The document has no \`cards\`.`
  })
  await t.rejects(reading('latin.json', Buffer.from('{"cards": ["\xe9"]}', 'latin1')), {
    constructor: FileProblem,
    message: `${join(folder, 'latin.json')}: The text is not valid UTF-8.`
  })
  await t.rejects(reading('secret.json', '{"cards": [], "price": 12.9.9}'), {
    name: 'SyntaxError',
    message: `${join(folder, 'secret.json')} is not JSON (line 1, column 28).`
  })
})
