import type { CollectionAnswer } from '../../core/kinds/collection/manifest.ts'
import t from 'tap'
import { actionTypes, refusalReasons } from '../../surfaces/play/practice/rules.ts'
import { levelNotes } from '../../surfaces/play/practice/referee.ts'
import { RequestSchema } from '../../surfaces/play/practice/schemas.ts'
import { levels } from '../../surfaces/play/practice/state.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { elementTexts } from '../support/markup.ts'
import { generationOf, serveGeneration } from '../support/serve-root.ts'
import { documentOf, entriesOf, registry } from './play/content.ts'

type Row = { id: string; title: string; request: string; open: string; layer: string }
type Guide = {
  levels: { level: string; plays: string }[]
  starters: { ids: string[] }
  members_of_new: { member: string }[]
  members_of_move: { member: string }[]
  decisions: { decision: string }[]
  moves: { type: string; decided_in: string[]; example: { type: string } }[]
  refusals: { reasons: string[] }
  not_played: string[]
}

const rows = entriesOf('play-spec') as readonly Row[]
const pathOf = ({ request }: Row): string => request.split(' ')[1] ?? ''

t.test('the page has 28 rows in seven layers, each row once', t => {
  t.equal(rows.length, 28)
  t.equal(new Set(rows.map(({ id }) => id)).size, 28)
  const { fixed } = registry.byId.get('play/spec')?.answer as CollectionAnswer
  const layers = fixed['layers'] as Record<string, string>
  t.equal(Object.keys(layers).length, 7)
  t.strictSame(
    [...new Set(rows.map(({ layer }) => layer))],
    Object.keys(layers),
    'in the order in which they are explained'
  )
  t.strictSame(
    (documentOf('play-index') as { layers: object }).layers,
    layers,
    'the index for programs has the same layers'
  )
  t.end()
})

t.test('every request of a row is a surface, and every play surface has a row', t => {
  const served = registry.surfaces.flatMap(({ route }) => route.methods.map(method => `${method} ${route.path}`))
  for (const { request } of rows) t.ok(served.includes(request), request)
  const asked = rows.map(({ request }) => request)
  // The pages of the module are not among the 28: they show what rows answer.
  for (const { route, tags, page } of registry.surfaces)
    if (tags.includes('play') && page === undefined)
      t.ok(asked.includes(`${route.methods[0] ?? ''} ${route.path}`), route.path)
  const index = documentOf('play-index') as { resources: { path: string; layer: string }[] }
  for (const { path, layer } of index.resources)
    t.ok(
      rows.some(row => pathOf(row) === path && row.layer === layer),
      `${path} is in ${layer} in both`
    )
  t.end()
})

t.test('what a row opens can be shown, and a resource of its path is', async t => {
  const { url } = await bundledDatabase(t)
  const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url }))
  for (const row of rows) {
    const response = await get(row.open)
    await response.body?.cancel()
    t.equal(response.status, 200, row.open)
    const pattern = new RegExp(
      `^${pathOf(row)
        .replaceAll('.', '\\.')
        .replace(/\{\w+\}/, '[^/]+')}$`
    )
    t.match(row.open, row.request.startsWith('POST ') ? /^\/api\/v1\/examples\/post_play_/ : pattern)
  }
})

t.test('the page is HTML for people and data for programs', async t => {
  const { get } = await serveGeneration(t, await generationOf(t, ['.']))
  const page = await get('/play/spec')
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  const html = await page.text()
  t.strictSame(elementTexts(html, 'h1'), ['The play module'])
  for (const { open } of rows) t.ok(html.includes(`<a href="${open}">`), open)
  const data = (await (await get('/play/spec', { headers: { Accept: 'application/json' } })).json()) as {
    returned: number
    rows: Row[]
  }
  t.equal(data.returned, 28)
  for (const layer of new Set(rows.map(row => row.layer))) {
    const part = (await (await get(`/play/spec?format=json&layer=${layer}`)).json()) as { rows: Row[] }
    t.strictSame(
      part.rows.map(({ id }) => id),
      rows.filter(row => row.layer === layer).map(({ id }) => id),
      layer
    )
  }
})

t.test('the practice guide says what the referee does', t => {
  const guide = documentOf('play-practice') as Guide
  t.strictSame(
    guide.levels.map(({ level }) => level),
    [...levels]
  )
  for (const { level, plays } of guide.levels)
    t.equal(plays.slice(0, 12), levelNotes[level as keyof typeof levelNotes].plays.slice(0, 12), level)
  t.strictSame(
    guide.starters.ids,
    (entriesOf('play-decks') as { id: string }[]).map(({ id }) => id)
  )
  t.strictSame(
    [...guide.members_of_new, ...guide.members_of_move].map(({ member }) => member).sort(),
    Object.keys(RequestSchema.properties)
      .filter(name => name !== 'op')
      .sort()
  )
  t.strictSame(
    guide.moves.map(({ type }) => type),
    [...actionTypes]
  )
  t.strictSame(guide.refusals.reasons, [...refusalReasons])
  const decisions = guide.decisions.map(({ decision }) => decision)
  for (const { type, decided_in: places, example } of guide.moves) {
    t.equal(example.type, type)
    for (const place of places) t.ok(decisions.includes(place), `${type} in ${place}`)
  }
  t.end()
})
