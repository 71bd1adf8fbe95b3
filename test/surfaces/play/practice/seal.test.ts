import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { playOpponent } from '../../../../surfaces/play/practice/referee.ts'
import { createSeal, keptSecret, secretFile } from '../../../../surfaces/play/practice/seal.ts'
import type { MatchState } from '../../../../surfaces/play/practice/state.ts'
import { publicGame } from '../../../../surfaces/play/practice/view.ts'
import { testDatabase } from '../../../support/database.ts'
import { cards, dealt, starterDeck } from './match-cards.ts'

const { database } = await testDatabase(t)
const secret = randomBytes(32)
const seal = createSeal(() => Promise.resolve(secret))
const { state } = playOpponent({ ...dealt(), log: [] })
const problemOf = async (text: string, by = seal): Promise<string | undefined> => {
  const opened = await by.unseal(text)
  return 'problem' in opened ? opened.problem : undefined
}

t.test('what was sealed comes back as it was, by any process with the same secret', async t => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.nat(3), fc.nat(3), async (seed, one, two) => {
      const sealed: MatchState = dealt({
        seed,
        decks: { player_1: starterDeck(one), player_2: starterDeck(two) }
      }).state
      const opened = await createSeal(() => Promise.resolve(secret)).unseal(await seal.seal(sealed))
      t.same('state' in opened ? opened.state : opened, sealed)
    }),
    { numRuns: 50 }
  )
})

t.test('the text shows nothing of the match, is short, and differs each time', async t => {
  const [one, two] = [await seal.seal(state), await seal.seal(state)]
  t.match(one, /^[A-Za-z0-9_-]+$/)
  t.not(one, two)
  t.ok(one.length < 8192, `${one.length} characters`)
  // Eight bytes: two or three that are equal prove nothing, because chance makes them.
  const [bytes, text] = [Buffer.from(one, 'base64url'), Buffer.from(JSON.stringify(state))]
  t.match(text.toString(), /ST01-0/)
  const shown = [text, deflateRawSync(text)]
  for (let at = 0; at + 8 <= bytes.length; at += 1) {
    const some = bytes.subarray(at, at + 8)
    if (shown.some(part => part.includes(some))) t.fail(`it shows ${some.toString('hex')} of the match`)
  }
})

t.test('even a match of a hundred different cards is small enough to carry', async t => {
  const of = (colour: string): string[] =>
    [...cards.values()]
      .filter(({ category, colours }) => category === 'character' && colours?.includes(colour))
      .slice(0, 50)
      .map(({ number }) => number)
  const decks = {
    player_1: { leader_id: 'ST01-001', main_deck_card_ids: of('red') },
    player_2: { leader_id: 'ST02-001', main_deck_card_ids: of('green') }
  }
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
    if ((await problemOf(flipped.toString('base64url'))) === undefined) accepted.push(bit)
  }
  t.same(accepted, [])
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (const letter of alphabet)
    if (letter !== text.at(-1)) t.ok(await problemOf(text.slice(0, -1) + letter), `ends with ${letter}`)
  for (const other of [
    '',
    'A',
    text.slice(0, -4),
    `${text}AAAA`,
    `${text}=`,
    ` ${text}`,
    text.replace(/^./, 'B'),
    'ä'.repeat(100)
  ])
    t.ok(await problemOf(other), other.slice(0, 10))
})

t.test('the seal of another installation is refused, and the message says so', async t => {
  const foreign = createSeal(() => Promise.resolve(randomBytes(32)))
  t.match(await problemOf(await foreign.seal(state)), 'another installation')
  t.match(await problemOf('!'), 'not a seal')
})

t.test('a secret is made at the first use, and kept in the database', async t => {
  const folder = t.testdir()
  const warnings: string[] = []
  const kept = (at = folder): Promise<Buffer> =>
    keptSecret(database, at, message => {
      warnings.push(message)
    })
  const made = await Promise.all(Array.from({ length: 8 }, () => kept()))
  t.equal(new Set(made.map(bytes => bytes.toString('hex'))).size, 1, 'processes that start together agree')
  t.equal(made[0]?.length, 32)
  t.same(await kept(join(folder, 'elsewhere')), made[0], 'a process with another data folder has it as well')
  t.same(await readdir(folder), [], 'and no file holds it')
  t.same(warnings, [])
})

t.test('the secret of an earlier version goes on, as long as there is no other', async t => {
  const folder = t.testdir()
  const earlier = randomBytes(32)
  const warnings: string[] = []
  const kept = (): Promise<Buffer> =>
    keptSecret(database, folder, message => {
      warnings.push(message)
    })
  await database.knex('secrets').delete()
  await writeFile(join(folder, secretFile), `${earlier.toString('base64url')}\n`)
  t.same(await kept(), earlier)
  await writeFile(join(folder, secretFile), 'half')
  t.same(await kept(), earlier, 'the file is not asked any more')
  t.match(warnings, [/does not hold 32 bytes/])
})

t.test('a secret that could not be had is asked for again', async t => {
  let isAway = true
  const patient = createSeal(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(secret)))
  await t.rejects(patient.seal(state), /away/)
  isAway = false
  t.same(await seal.unseal(await patient.seal(state)), { state })
})
