import t from 'tap'
import { textsIn } from '../../core/registry/claims.ts'
import { rowLimit } from '../../surfaces/cards/documents/identify.ts'
import { maxValues } from '../../surfaces/cards/search/count-values.ts'
import { maxMatches, maxRead } from '../../surfaces/cards/search/find-queried.ts'
import { maxNames, maxNumbers } from '../../surfaces/cards/search/name-index.ts'
import { maxDepth, maxTerms } from '../../surfaces/cards/search/query-text.ts'
import { disputeDays, maxAuctionDays } from '../../surfaces/market/bidding.ts'
import { tiers } from '../../surfaces/people/keys.ts'
import { codeAttempts, codeMinutes, freshMinutes } from '../../surfaces/people/sign-in.ts'
import { fairnessWindow } from '../../surfaces/proofs/fairness.ts'
import { registryOf } from '../support/registry.ts'

const { registry } = await registryOf()
const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const numberOf = (text: string): number => {
  const at = words.indexOf(text.toLowerCase())
  return at < 0 ? Number(text.replaceAll(',', '')) : at
}

/** Every text that speaks for the service, in one line; the changelog tells what was. */
const texts: readonly (readonly [id: string, text: string])[] = [
  ['manifests/service', registry.service] as const,
  ...[...registry.byId].map(
    ([id, { summary, description, doesNotInclude }]) =>
      [`manifests/${id}`, { summary, description, doesNotInclude }] as const
  ),
  ...[...registry.documents].map(([name, { value }]) => [`corpora/documents/${name}`, value] as const),
  ...[...registry.corpora.values()]
    .filter(({ name }) => name !== 'changelog')
    .flatMap(({ name, byKey }) => [...byKey].map(([key, entry]) => [`corpora/${name}/${key}`, entry] as const))
].map(([id, value]) => [id, textsIn(value).join(' ').replace(/\s+/g, ' ')])
const textOf = new Map(texts)

t.test('what texts say everywhere of pace and answers is what service.yaml says', t => {
  const { contact, rate_policy: pace } = registry.service
  const said = (pattern: RegExp): readonly (readonly [string, number])[] =>
    texts.flatMap(([id, text]) => [...text.matchAll(pattern)].map(([, number = '']) => [id, numberOf(number)] as const))
  const hours = said(/(\d+) hours\b/g).filter(([id]) => !/^corpora\/(?:play|sources|source-policies)/.test(id))
  t.ok(hours.length >= 5)
  for (const [id, number] of hours.filter(([, number]) => number > 24)) t.equal(number, contact.response_hours, id)
  const limits = [pace.limit, ...pace.classes.map(({ requests_per_minute: each }) => each), ...Object.values(tiers)]
  const paces = said(/(\d+) requests a minute/g)
  t.ok(paces.length >= 5)
  for (const [id, number] of paces) t.ok(limits.includes(number), `${id}: ${number} requests a minute`)
  t.end()
})

/** Words with numbers in them, `{}` for each, with the numbers that the code has. */
const stated: Readonly<Record<string, readonly (readonly [words: string, ...numbers: readonly number[]])[]>> = {
  'manifests/search/query': [
    ['It reads {} printings and finds {} matches at most', maxRead, maxMatches],
    ['A query has {} terms at most, and parentheses {} deep', maxTerms, maxDepth]
  ],
  'manifests/search/names': [['At most {} names are read for a word and {} numbers found', maxNames, maxNumbers]],
  'manifests/search/values': [['at most {} of a field are listed', maxValues]],
  'manifests/federation/identify': [['may examine {} rows at most', rowLimit]],
  'manifests/proofs/fairness': [
    ['the draws of the last {} days', fairnessWindow.days],
    ['Counts of fewer than {} draws', fairnessWindow.least]
  ],
  'manifests/account/keys.post': [
    ['at {} requests a minute', tiers.free],
    ['a sign-in that is less than {} minutes old', freshMinutes]
  ],
  'manifests/account/sign-in.post': [['for {} minutes, and can be tried {} times', codeMinutes, codeAttempts]],
  'corpora/guides/buy-and-sell': [
    ['An auction lasts {} days at most', maxAuctionDays],
    ['possible until {} days after the card arrived', disputeDays]
  ]
}

t.test('a limit in a description is the limit of the code', t => {
  for (const [id, all] of Object.entries(stated))
    for (const [said, ...numbers] of all) {
      const found = new RegExp(said.replaceAll('{}', '([\\d,]+|[a-z]+)')).exec(textOf.get(id) ?? '')
      t.same(found?.slice(1).map(numberOf), numbers, `${id}: ${said}`)
    }
  t.end()
})
