import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readMembers } from '../../../../surfaces/import/reading/read-members.ts'
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
