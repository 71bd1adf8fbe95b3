import { createHash, createHmac } from 'node:crypto'

type Weighted = Readonly<{ weight: number }>

/** What a draw is made by: kinds of packs with their places, each with whole weights. */
export type DrawRates = Readonly<{
  packs: readonly (Weighted &
    Readonly<{
      name: string
      places: readonly Readonly<{ rarities: readonly (Weighted & Readonly<{ rarity: string }>)[] }>[]
    }>)[]
}>

/** A pack that was drawn: its kind, and a rarity for each of its places. */
type Drawn = Readonly<{ pack: string; rarities: readonly string[] }>

/** What decides a draw: 64 hex digits of the service, 64 of the client, and the number of the draw. */
type Seeds = Readonly<{ server_seed: string; client_seed: string; nonce: number }>

/** What the service says of its seed before it knows the client's: SHA-256 of its 32 bytes. */
export const commitmentOf = (serverSeed: string): string =>
  createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex')

const wordBytes = 4
const words = 2 ** (8 * wordBytes)

/**
 * Numbers of 32 bits, most significant byte first: HMAC-SHA256 under the server's seed of `client:nonce:0`, then of
 * `client:nonce:1`, and so on.
 */
function* numbersOf({ server_seed: server, client_seed: client, nonce }: Seeds): Generator<number, never> {
  for (let block = 0; ; block += 1) {
    const bytes = createHmac('sha256', Buffer.from(server, 'hex')).update(`${client}:${nonce}:${block}`).digest()
    for (let at = 0; at < bytes.length; at += wordBytes) yield bytes.readUInt32BE(at)
  }
}

/**
 * One of the choices, each as often as its weight says. Numbers that would make the first ones likelier are left out.
 */
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

/** A pack by the rates: first its kind, then place by place a rarity. The same seeds always give the same. */
export function draw(rates: DrawRates, seeds: Seeds): Drawn {
  const numbers = numbersOf(seeds)
  const { name, places } = choose(rates.packs, numbers)
  return { pack: name, rarities: places.map(({ rarities }) => choose(rarities, numbers).rarity) }
}
