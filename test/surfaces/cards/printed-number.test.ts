import t from 'tap'
import { parsePrintedNumber } from '../../../surfaces/cards/games.ts'
import { declaredGames } from './search/declared-games.ts'

const games = declaredGames()
const read = (game: string, text: string) => parsePrintedNumber(games.named(game).printed_numbers, text)

/** Numbers as other services publish them, with the set and the number they mean. */
const published: Readonly<
  Record<string, Readonly<Record<string, readonly [set: string | undefined, number: string, total?: string]>>>
> = {
  op: {
    'OP01-001': ['op01', '001'],
    'OP15-100': ['op15', '100'],
    'ST01-001': ['st01', '001'],
    'EB01-001': ['eb01', '001'],
    'EB04-024': ['eb04', '024'],
    'PRB01-001': ['prb01', '001'],
    'PCC04-001': ['pcc04', '001'],
    'P-001': ['p', '001'],
    'E-001': ['e', '001'],
    'P-2ANNY-001': ['p-2anny', '001'],
    'P-START-005': ['p-start', '005']
  },
  pkm: {
    '025/202': [undefined, '025', '202'],
    '150/151': [undefined, '150', '151'],
    'SV01-001': ['sv01', '001'],
    'SV2A-150': ['sv2a', '150'],
    'SM12-100': ['sm12', '100'],
    'S12A-100': ['s12a', '100'],
    'M1L-001': ['m1l', '001']
  },
  mtg: { 'otj-001': ['otj', '001'], 'woe-200a': ['woe', '200a'] },
  ygo: { 'LOB-EN001': ['lob', '001'], 'MP23-032': ['mp23', '032'] },
  dbs: { 'BT21-001': ['bt21', '001'], 'SD23-001': ['sd23', '001'] },
  dbf: {
    'FB01-001': ['fb01', '001'],
    'FS01-001': ['fs01', '001'],
    'SB01-001': ['sb01', '001'],
    'DB-PROMO': ['promo', 'promo']
  },
  wei: { 'HOL/WE26-E001': ['hol/we26', 'e001'] },
  vng: { 'D-BT01/001': ['d-bt01', '001'], 'DZ-BT15/15thSP01': ['dz-bt15', '15thsp01'] },
  dmw: { 'BT01-001': ['bt01', '001'], 'EX01-001': ['ex01', '001'] },
  bsr: { 'BSS01-001': ['bss01', '001'], 'BS75-CX04': ['bs75', 'cx04'], '26RSD05-014': ['26rsd05', '014'] },
  fab: { WTR001: ['wtr', '001'] },
  lgr: { '1/204': [undefined, '1', '204'] },
  rsh: { 'RD/KP01-EN001': ['kp01', '001'] },
  pkp: { 'A1-001': ['a1', '001'] },
  gcg: { 'GD01-087': ['gd01', '087'], 'EXBP-001': ['exbp', '001'] },
  una: { 'UA02BT/JJK-1-001': ['ua02bt', 'jjk-1-001'], 'UAPR/CGH-AP01': ['uapr', 'cgh-ap01'] }
}

for (const [game, numbers] of Object.entries(published)) {
  t.test(`${game}: published numbers are read, in any letter case`, t => {
    for (const [text, [set, number, total]] of Object.entries(numbers)) {
      for (const written of [text, text.toLowerCase(), text.toUpperCase(), ` ${text} `]) {
        const found = read(game, written)
        t.same({ set: found?.set, number: found?.number, total: found?.total }, { set, number, total }, written)
      }
    }
    t.end()
  })
}

t.test('every form reads its examples', t => {
  for (const { token, printed_numbers: forms } of games.all) {
    for (const { form, examples } of forms)
      for (const example of examples) t.equal(read(token, example)?.form, form, `${token} ${example}`)
  }
  t.end()
})

t.test('the first form that matches counts, and what no form matches is nothing', t => {
  t.equal(read('op', 'EX01-001')?.form, 'other-set')
  t.equal(read('op', 'OP01-001')?.form, 'booster', 'although the last form would match too')
  for (const text of ['', 'OP01-', 'OP01-00001', 'Luffy', 'OP01-001 or so']) t.equal(read('op', text), undefined, text)
  t.end()
})

t.test('a printed number is read as set and number in any game that has the form', t => {
  t.same(games.readNumber('P-A 050', 'ptcgp'), [{ game: 'ptcgp', text: 'promoa 050' }])
  t.ok(games.readNumber('P-A 050').some(({ game }) => game === 'ptcgp'))
  t.same(games.readNumber('P-A 050', 'op'), [], 'a form of another game')
  t.same(games.readNumber('A1 036/286', 'ptcgp'), [{ game: 'ptcgp', text: 'A1 036' }], 'without the total of the set')
  t.same(games.readNumber('036/286', 'ptcgp'), [], 'the total is all that says the set')
  t.end()
})
