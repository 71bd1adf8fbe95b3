import t from 'tap'
import { registryOf } from '../support/registry.ts'

type Schema = Readonly<{ [name: string]: unknown }>
const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Words for what something costs; counts of bids and ratios are none, and what a card of a game costs to play is no
 * money.
 */
const costs = /price|amount|spot|_ask|_bid|value_|_gbp|_usd|_eur/
const noCost = /count|ratio|percent|share|states?$|currency|unavailable/

/** Whether a schema is that of what a participant states, by its mark. */
const isMarked = ({ properties }: Schema): boolean =>
  isObject(properties) && isObject(properties['stated_by']) && properties['stated_by']['const'] === 'participant'

/**
 * Amounts that say nothing of where they are from, and marks where they do not belong: a participant's amount carries
 * `stated_by: participant`, and an answer that names no participants as its source carries none.
 */
function unfounded(schema: unknown, ofParticipants: boolean, at = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one, place) => unfounded(one, ofParticipants, `${at}/${place}`))
  if (!isObject(schema)) return []
  const marked = isMarked(schema)
  const { properties, required } = schema
  const own: string[] = []
  if (marked && !ofParticipants) own.push(`${at}: a mark of participants on what is from a source`)
  if (marked && !(Array.isArray(required) && ['pence', 'currency', 'stated_by'].every(name => required.includes(name))))
    own.push(`${at}: a mark that may be left out`)
  if (isObject(properties)) {
    if ('pence' in properties && !marked) own.push(`${at}: pence without a mark`)
    for (const [name, of] of Object.entries(properties))
      if (
        costs.test(name) &&
        !noCost.test(name) &&
        isObject(of) &&
        /"(?:integer|number)"/.test(JSON.stringify({ type: of['type'], anyOf: of['anyOf'] })) &&
        !JSON.stringify(of).includes('stated_by')
      )
        own.push(`${at}/${name}: a number without a mark`)
  }
  return [
    ...own,
    ...Object.entries(schema).flatMap(([name, inner]) => unfounded(inner, ofParticipants, `${at}/${name}`))
  ]
}

const mark = {
  type: 'object',
  required: ['pence', 'currency', 'stated_by'],
  properties: { pence: { type: 'integer' }, currency: {}, stated_by: { const: 'participant' } }
}

t.test('the check finds a price of a source with the mark, and an amount of a participant without it', async t => {
  t.same(unfounded({ properties: { offer: mark } }, true), [])
  t.match(unfounded({ properties: { reference: mark } }, false), [/mark of participants/])
  t.match(unfounded({ properties: { offer: { properties: { pence: { type: 'integer' } } } } }, true), [
    /pence without a mark/
  ])
  t.match(unfounded({ properties: { spot_price: { type: 'number' } } }, true), [/number without a mark/])
  t.match(unfounded({ properties: { best_ask_gbp: { anyOf: [{ type: 'number' }, { type: 'null' }] } } }, true), [
    /number without a mark/
  ])
  t.match(unfounded({ properties: { offer: { ...mark, required: ['pence'] } } }, true), [/left out/])
})

t.test(
  'no answer shows an amount but what participants state, marked as that, on surfaces that name them as a source',
  async t => {
    const { registry } = await registryOf(['.'])
    const shown = registry.surfaces
      .filter(({ output }) => JSON.stringify(output).includes('stated_by'))
      .map(({ id }) => id)
    t.ok(
      shown.includes('cards/evidence') && shown.includes('market/auctions') && shown.includes('market/public-auction')
    )
    // What somebody reads of themselves is as it is stored.
    const found = registry.surfaces
      .filter(({ route: { methods }, sources }) => methods.includes('GET') && sources.join() !== 'self')
      .flatMap(({ id, output, sources }) =>
        unfounded(output, sources.includes('participants')).map(one => `${id} ${one}`)
      )
    t.same(found, [])
  }
)
