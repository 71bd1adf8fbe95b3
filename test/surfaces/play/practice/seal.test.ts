import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { createSeal } from '../../../../surfaces/play/practice/seal.ts'
import { keptSecret, secretFile } from '../../../../surfaces/play/practice/secret.ts'
import type { State } from '../../../../surfaces/play/practice/state.ts'
import { untilYours } from '../../../../surfaces/play/practice/step.ts'
import { publicGame } from '../../../../surfaces/play/practice/view.ts'
import { cards, dealt, starterDeck } from './match-cards.ts'

const secret = randomBytes(32)
const seal = createSeal(() => Promise.resolve(secret))
const { state } = untilYours({ ...dealt(), log: [] })
const problemOf = async (text: string, by = seal): Promise<string | undefined> => { const opened = await by.unseal(text); return 'problem' in opened ? opened.problem : undefined }

t.test('what was sealed comes back as it was, by any process with the same secret', async t => {
  await fc.assert(fc.asyncProperty(fc.string(), fc.nat(3), fc.nat(3), async (seed, one, two) => {
    const sealed: State = dealt({ seed, decks: { player_1: starterDeck(one), player_2: starterDeck(two) } }).state
    const opened = await createSeal(() => Promise.resolve(secret)).unseal(await seal.seal(sealed))
    t.same('state' in opened ? opened.state : opened, sealed)
  }), { numRuns: 50 })
})

t.test('the text shows nothing of the match, is short, and differs each time', async t => {
  const [one, two] = [await seal.seal(state), await seal.seal(state)]
  t.match(one, /^[A-Za-z0-9_-]+$/)
  t.not(one, two)
  t.ok(one.length < 8192, `${one.length} characters`)
  t.notMatch(Buffer.from(one, 'base64url').toString('latin1'), /ST0|OP0/)
})

t.test('even a match of a hundred different cards is small enough to carry', async t => {
  const of = (colour: string): string[] => [...cards.values()].filter(({ category, colours }) => category === 'character' && colours?.includes(colour)).slice(0, 50).map(({ number }) => number)
  const decks = { player_1: { leader_id: 'ST01-001', main_deck_card_ids: of('red') }, player_2: { leader_id: 'ST02-001', main_deck_card_ids: of('green') } }
  const { state: large } = dealt({ decks })
  t.ok(large.cards.length >= 100)
  const game = { ...publicGame(large), sealed: await seal.seal(large) }
  t.ok(JSON.stringify(game).length < 12_288, `${JSON.stringify(game).length} characters`)
})

t.test('every single flipped bit is refused, and so is every other change', async t => {
  const text = await seal.seal(state)
  const bytes = Buffer.from(text, 'base64url')
  const accepted: number[] = []
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    if (await problemOf(flipped.toString('base64url')) === undefined) accepted.push(bit)
  }
  t.same(accepted, [])
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (const letter of alphabet) if (letter !== text.at(-1)) t.ok(await problemOf(text.slice(0, -1) + letter), `ends with ${letter}`)
  for (const other of ['', 'A', text.slice(0, -4), `${text}AAAA`, `${text}=`, ` ${text}`, text.replace(/^./, 'B'), 'ä'.repeat(100)]) t.ok(await problemOf(other), other.slice(0, 10))
})

t.test('the seal of another installation is refused, and the message says so', async t => {
  const foreign = createSeal(() => Promise.resolve(randomBytes(32)))
  t.match(await problemOf(await foreign.seal(state)), 'another installation')
  t.match(await problemOf('!'), 'not a seal')
})

t.test('a secret is made at the first use, for its owner only, and kept', async t => {
  const folder = join(t.testdir(), 'data')
  const warnings: string[] = []
  const warn = (message: string): void => { warnings.push(message) }
  const made = await Promise.all(Array.from({ length: 8 }, () => keptSecret(folder, warn)))
  t.equal(new Set(made.map(bytes => bytes.toString('hex'))).size, 1, 'processes that start together agree')
  t.equal(made[0]?.length, 32)
  t.equal((await stat(join(folder, secretFile))).mode & 0o777, 0o600)
  t.same(await keptSecret(folder, warn), made[0], 'a restart keeps it')
  t.same(warnings, [])

  await writeFile(join(folder, secretFile), 'half')
  const [one, two] = [await keptSecret(folder, warn), await keptSecret(folder, warn)]
  t.not(one.toString('hex'), two.toString('hex'))
  t.equal(warnings.length, 2)
  t.match(warnings[0], 'end with this process')
  t.equal(await readFile(join(folder, secretFile), 'utf8'), 'half', 'a file that is not ours is left as it is')
})

t.test('where nothing can be written, matches last as long as the process', async t => {
  const folder = t.testdir({ file: '' })
  const warnings: string[] = []
  t.equal((await keptSecret(join(folder, 'file', 'data'), message => { warnings.push(message) })).length, 32)
  t.equal(warnings.length, 1)
})
