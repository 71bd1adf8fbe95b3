import t from 'tap'
import { registryOf } from '../../support/registry.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

type Legality = {
  legal: boolean
  violations: { code: string; card_id?: string }[]
  summary: { leader_colors: string[]; violation_codes_sorted: string[]; deck_card_ids_sorted: string[] }
  substrate_honest_perimeter: { colors_unknown_for: string[]; blocks_unknown_for: string[] }
  '@content_hash': string
}

t.test('decks of real cards', async t => {
  const { url } = await bundledDatabase(t)
  const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  const post = (body: unknown): Promise<Response> =>
    get('/api/v1/play/deck/validate', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body)
    })
  const check = async (body: unknown): Promise<Legality> => {
    const response = await post(body)
    t.equal(response.status, 200)
    t.equal(response.headers.get('cache-control'), 'no-store')
    return (await response.json()) as Legality
  }
  const { registry } = await registryOf()
  const decks = (registry.corpora.get('play-decks')?.entries ?? []) as unknown as {
    id: string
    leader: string
    main_deck: Record<string, number>
  }[]
  const listOf = ({ main_deck: main }: { main_deck: Record<string, number> }): string[] =>
    Object.entries(main).flatMap(([id, count]) => Array.from({ length: count }, () => id))

  await t.test('every starter deck is legal without rotation', async t => {
    t.ok(decks.length >= 3)
    for (const deck of decks) {
      const { legal, violations, summary } = await check({
        leader_id: deck.leader,
        main_deck_card_ids: listOf(deck),
        format: 'legacy'
      })
      t.strictSame({ legal, violations }, { legal: true, violations: [] }, deck.id)
      t.ok(summary.leader_colors.length > 0)
    }
  })

  await t.test('the oldest cards have rotated out of the standard format, and only they', async t => {
    const [deck] = decks
    const { legal, violations } = await check({
      leader_id: deck?.leader,
      main_deck_card_ids: listOf(deck ?? { main_deck: {} }),
      format: 'standard'
    })
    t.equal(legal, false)
    t.same([...new Set(violations.map(({ code }) => code))], ['card_rotated_out'])
  })

  await t.test('one hash for one deck, in whatever order and spelling', async t => {
    const main = listOf(decks[0] ?? { main_deck: {} })
    const asked = { leader_id: decks[0]?.leader ?? '', format: 'legacy' }
    const one = await check({ ...asked, main_deck_card_ids: main })
    const other = await check({
      ...asked,
      leader_id: asked.leader_id.toLowerCase(),
      main_deck_card_ids: [...main].reverse().map(id => `op-${id.toLowerCase()}-en`)
    })
    t.equal(one['@content_hash'], other['@content_hash'])
    t.strictSame(one.summary, other.summary)
  })

  await t.test('a body that is no deck is refused with the field', async t => {
    const deck = { leader_id: 'OP01-001', main_deck_card_ids: ['OP01-002'], format: 'standard' }
    const refused: [string, unknown][] = [
      ['leader_id', { ...deck, leader_id: undefined }],
      ['leader_id', { ...deck, leader_id: ' ' }],
      ['leader_id', { ...deck, leader_id: 7 }],
      ['main_deck_card_ids', { ...deck, main_deck_card_ids: undefined }],
      ['main_deck_card_ids', { ...deck, main_deck_card_ids: 'OP01-002' }],
      ['main_deck_card_ids', { ...deck, main_deck_card_ids: Array.from({ length: 251 }, () => 'OP01-002') }],
      ['format', { ...deck, format: undefined }],
      ['format', { ...deck, format: 'Standard' }],
      ['sideboard', { ...deck, sideboard: [] }]
    ]
    for (const [field, body] of refused) {
      const response = await post(body)
      t.equal(response.status, 400, JSON.stringify(body).slice(0, 80))
      t.match(await response.json(), { error: { details: { field: new RegExp(`^${field}`) } } })
    }
    t.equal((await post({ ...deck, main_deck_card_ids: Array.from({ length: 250 }, () => 'OP01-002') })).status, 200)
    t.equal((await post({ ...deck, main_deck_card_ids: [] })).status, 200)
  })

  await t.test('every format is taken, and sealed decks know neither bans nor rotation', async t => {
    for (const format of ['standard', 'legacy', 'limited_sealed']) {
      const { violations } = await check({
        leader_id: 'OP01-001',
        main_deck_card_ids: ['ST10-001', 'OP03-040'],
        format
      })
      t.equal(
        violations.some(({ code }) => code === 'card_banned'),
        format !== 'limited_sealed',
        format
      )
    }
  })
})
