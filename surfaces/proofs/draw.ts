import { createHash, createHmac } from 'node:crypto'

type Weighted = Readonly<{ weight: number }>

/** The rates of a draw: kinds of packs with their places, each with integer weights. */
export type DrawRates = Readonly<{
  packs: readonly (Weighted &
    Readonly<{
      name: string
      places: readonly Readonly<{ rarities: readonly (Weighted & Readonly<{ rarity: string }>)[] }>[]
    }>)[]
}>

/** A drawn pack: its kind, and one rarity for each of its places. */
type Drawn = Readonly<{ pack: string; rarities: readonly string[] }>

/** The inputs of a draw: 64 hex digits from the server, 64 from the client, and the number of the draw. */
type Seeds = Readonly<{ server_seed: string; client_seed: string; nonce: number }>

/**
 * Returns the commitment that the server publishes before it knows the client's seed: the SHA-256 of the 32 bytes of
 * its own seed.
 */
export const commitmentOf = (serverSeed: string): string =>
  createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex')

const wordBytes = 4
const words = 2 ** (8 * wordBytes)

/**
 * Yields 32-bit numbers, big-endian: HMAC-SHA256 with the server's seed as key over `client:nonce:0`, then over
 * `client:nonce:1`, and so on.
 */
function* numbersOf({ server_seed: server, client_seed: client, nonce }: Seeds): Generator<number, never> {
  for (let block = 0; ; block += 1) {
    const bytes = createHmac('sha256', Buffer.from(server, 'hex')).update(`${client}:${nonce}:${block}`).digest()
    for (let at = 0; at < bytes.length; at += wordBytes) yield bytes.readUInt32BE(at)
  }
}

/** Chooses by weight. Numbers at the upper end that would favour the first choices are skipped (rejection sampling). */
function choose<Choice extends Weighted>(choices: readonly Choice[], numbers: Iterator<number, never>): Choice {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0)
  if (!(total > 0 && total <= words)) throw new RangeError('Weights are whole numbers with a sum from 1 to 2^32.')
  let number = numbers.next().value
  while (number >= words - (words % total)) number = numbers.next().value
  let rest = number % total
  for (const choice of choices) {
    if (rest < choice.weight) return choice
    rest -= choice.weight
  }
  throw new RangeError('A remainder is smaller than the sum.')
}

/** Draws a pack: first its kind, then a rarity for each place. The same seeds always give the same result. */
export function draw(rates: DrawRates, seeds: Seeds): Drawn {
  const numbers = numbersOf(seeds)
  const { name, places } = choose(rates.packs, numbers)
  return { pack: name, rarities: places.map(({ rarities }) => choose(rarities, numbers).rarity) }
}
