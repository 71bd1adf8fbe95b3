import type { CardFacts } from '../../surfaces/cards/card-fields.ts'
import { cardContentHash } from '../../surfaces/cards/documents/card.ts'
import { paths } from '../../surfaces/cards/documents/parts.ts'
import { foldName } from '../../surfaces/cards/search/fold-name.ts'
import { cardIn, codeIn, hasCode, numberAlone } from './scale-cards.ts'
import type { Base, SetOfBase } from './scale-data.ts'

export type Question = Readonly<{ path: string; body?: string }>

/** One number from 0 up to `below`, the next of a sequence. */
export type Pick = (below: number) => number

/** A sequence that a seed decides (mulberry32): every run asks the same. */
export function picker(seed: number): Pick {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

type Asked = Readonly<{
  question: Question
  /** Whether an answer is the right one. */ isRight: (answer: string) => boolean
}>

export type Topic = Readonly<{
  name: string
  /** How many times the time of the smallest catalogue the largest may take. */
  goal: number
  /** How many microseconds of processor time, of server and database together, a request to the largest may take. */
  most?: number
  /** How many questions a connection asks before it begins again. */
  questions: number
  ask: (base: Base, turns: number, pick: Pick) => Asked
}>

const one = <T>(list: readonly T[], pick: Pick): T => {
  const found = list[pick(list.length)]
  if (found === undefined) throw new Error('There is nothing to ask for.')
  return found
}

const anyCard = ({ cards }: Base, turns: number, pick: Pick): CardFacts => cardIn(pick(turns), one(cards, pick))
/** A name as it is asked for; its first two characters are letters or digits. */
const askedName = ({ name }: CardFacts): string => foldName(name ?? '')
const namedCard = (base: Base, pick: Pick): CardFacts => {
  const card = one(base.cards, pick)
  return /^[^ ]{2}/.test(askedName(card)) ? card : namedCard(base, pick)
}
const search = (game: string, q: string): Question => ({
  path: `/api/v1/search/cards?game=${game}&q=${encodeURIComponent(q)}`
})

/** Computed once for each base: finding them takes longer than asking. */
const chosen = new WeakMap<Base, Readonly<{ sets: readonly SetOfBase[]; numbered: readonly CardFacts[] }>>()

function choices(base: Base): Readonly<{ sets: readonly SetOfBase[]; numbered: readonly CardFacts[] }> {
  const known = chosen.get(base) ?? {
    sets: base.sets.filter(set => set.card_count >= 250 && set.card_count <= 350),
    numbered: base.cards.filter(hasCode)
  }
  chosen.set(base, known)
  return known
}

export const topics: readonly Topic[] = [
  {
    name: 'card',
    goal: 1.3,
    questions: 400,
    ask(base, turns, pick) {
      const card = anyCard(base, turns, pick)
      return {
        question: { path: paths.card(card.sku) },
        isRight: answer => answer.includes(`"@content_hash":"${cardContentHash(card)}"`)
      }
    }
  },
  {
    name: 'batch of 100',
    goal: 1.3,
    questions: 20,
    ask(base, turns, pick) {
      const skus = Array.from({ length: 100 }, () => anyCard(base, turns, pick).sku)
      return {
        question: { path: '/api/v1/cards/batch', body: JSON.stringify({ skus }) },
        isRight: answer => answer.includes('"found_count":100')
      }
    }
  },
  {
    name: 'search, exact',
    goal: 2,
    questions: 400,
    ask(base, turns, pick) {
      const card = cardIn(pick(turns), one(choices(base).numbered, pick))
      return {
        question: search(card.game, card.card_number),
        isRight: answer =>
          answer.includes('"best_confidence":"exact"') && answer.includes(`"card_number":"${card.card_number}"`)
      }
    }
  },
  {
    name: 'search, fuzzy',
    goal: 2,
    questions: 400,
    ask(base, turns, pick) {
      const card = anyCard(base, turns, pick)
      return {
        question: search(card.game, numberAlone(card)),
        isRight: answer => answer.includes('"best_confidence":"fuzzy"')
      }
    }
  },
  {
    name: 'search, name',
    goal: 2,
    questions: 400,
    ask(base, _, pick) {
      const card = namedCard(base, pick)
      return {
        question: { path: `/api/v1/search/names?game=${card.game}&q=${encodeURIComponent(askedName(card))}` },
        isRight: answer => answer.includes('"best_confidence":"exact"')
      }
    }
  },
  {
    name: 'suggest',
    goal: 1.3,
    most: 1000,
    questions: 400,
    ask(base, _, pick) {
      const card = namedCard(base, pick)
      return {
        question: { path: `/api/v1/search/suggest?q=${encodeURIComponent(askedName(card).slice(0, 2 + pick(4)))}` },
        isRight: answer => answer.includes('"printings":')
      }
    }
  },
  {
    name: 'set of 300',
    goal: 1.3,
    questions: 50,
    ask(base, turns, pick) {
      const set = one(choices(base).sets, pick)
      return {
        question: { path: paths.set(set.game, codeIn(pick(turns), set.set_code)) },
        isRight: answer => answer.includes(`"cards_returned":${set.card_count},`)
      }
    }
  },
  {
    name: 'identify',
    goal: 1.3,
    questions: 400,
    ask(base, turns, pick) {
      const card = anyCard(base, turns, pick)
      return {
        question: { path: paths.identify(cardContentHash(card)) },
        isRight: answer => answer.includes(`"sku":"${card.sku}"`)
      }
    }
  }
]
