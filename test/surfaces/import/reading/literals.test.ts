import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { exportsOf, literalsOf } from '../../../../surfaces/import/reading/literals.ts'
import { scratchFolder } from '../../../support/scratch.ts'

const folder = scratchFolder(t)

function write(path: string, text: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  return join(folder, path)
}
const read = async (text: string, name?: string, path = 'cards/one.ts'): Promise<unknown> =>
  await literalsOf(
    {
      path: write(path, text),
      declared: { shape: 'literals', path, ...(name === undefined ? {} : { export: name }) },
      file: {},
      folder
    },
    text
  )

t.test('a card is an object of literals, and its set one of another module', async t => {
  write('interfaces.ts', 'export enum Rarity { Common, Rare = 4, Epic, Promo = "promo" }\nexport type Card = object\n')
  write(
    'sets/ab1.ts',
    "import { Rarity } from '../interfaces'\nconst set = { id: 'AB1', best: Rarity.Epic }\nexport default set\n"
  )
  const text = `import { Rarity, type Card } from '../interfaces.js'
import set from '../sets/ab1'
import { other } from 'some-package'
const colours = ['red', \`dark\${'er'}\`] as const
const card: Card = {
  set, number: 7, 'na-me': 'Tide', cost: -1, rarity: Rarity.Rare, promo: Rarity['Promo'],
  colours: [...colours, 'blue'], ...{ foil: true }, none: null, other, made: other(), [\`x\${1}\`]: <number>2
} satisfies Card
export default card`
  t.same(await read(text), {
    set: { id: 'AB1', best: 5 },
    number: 7,
    'na-me': 'Tide',
    cost: -1,
    rarity: 4,
    promo: 'promo',
    colours: ['red', 'darker', 'blue'],
    foil: true,
    none: null,
    x1: 2
  })
})

t.test('an export is named, or the only one; modules of CommonJS have them too', async t => {
  t.same(await read('export const cards = [1, 2]'), [1, 2])
  t.same(await read('module.exports = [{ id: 1 }]', undefined, 'cards/one.cjs'), [{ id: 1 }])
  t.same(await read('exports.cards = [3]\nexports.sets = []', 'cards'), [3])
  const two = 'export const cards = [1]\nconst s = [2]\nexport { s as sets }'
  t.same(await read(two, 'sets'), [2])
  t.same(await exportsOf(write('cards/two.ts', two)), ['cards', 'sets'])
  await t.rejects(read(two), { message: /one\.ts has no export `default`; it has `cards`, `sets`\.$/ })
})

t.test('nothing is run, and nothing outside the folder is read', async t => {
  const global = globalThis as { ran?: boolean }
  t.same(await read('globalThis.ran = true\nexport default { a: (() => { globalThis.ran = true })(), b: 1 }'), { b: 1 })
  t.equal(global.ran, undefined)
  const outside = join(scratchFolder(t), 'secret.ts')
  writeFileSync(outside, "export default 'SECRET'")
  t.same(await read(`import a from '${join('..', '..', '..', outside)}'\nexport default { a, b: 1 }`), { b: 1 })
  t.same(await read("import self from './one'\nexport default { self, b: 1 }"), { self: { b: 1 }, b: 1 })
})

t.test('what is broken, and what is no literal, is told with line and column', async t => {
  await t.rejects(read('const a = 1\nexport default { a: [1, }'), {
    message: `${join(folder, 'cards/one.ts')} is not TypeScript (line 2, column 25).`
  })
  await t.rejects(read('\nexport default make()'), {
    message: /what is exported as `default` is no literal \(line 2, column 16\)\.$/
  })
})

t.test('values that name others again and again end with a refusal', async t => {
  const lists = Array.from({ length: 30 }, (_, at) => `const a${at + 1} = [${`a${at}, `.repeat(10)}]`)
  await t.rejects(read(`const a0 = [1]\n${lists.join('\n')}\nexport default a30`), {
    message: /has more than 5,000,000 values/
  })
})
