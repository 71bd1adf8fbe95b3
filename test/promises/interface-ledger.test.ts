import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readRegistry } from '../../bin/read-registry.ts'
import { loadRoots, packageFolder } from '../../bin/roots.ts'
import { readYaml } from '../../core/source/read-yaml.ts'
import { kindNames } from '../../core/kinds/names.ts'
import { methods, type Method } from '../../core/vocabulary/words.ts'

type Row = Readonly<{ method: Method, path: string, kind: string, why?: string, served?: string, pending?: string }>
type Ledger = Readonly<{ rows: readonly Row[], beyond: readonly string[] }>

const file = 'test/interface/ledger.yaml'
const source = readYaml(file, readFileSync(join(packageFolder, file)))
const { rows, beyond } = source.value as unknown as Ledger

const pairOf = ({ method, path }: { method: string, path: string }): string => `${method} ${path}`
const byPair = new Map(rows.map(row => [pairOf(row), row]))

const { registry, diagnostics } = readRegistry(await loadRoots([]))
if (registry === undefined) throw new Error(`The roots have ${diagnostics.length} mistakes; \`pantry validate\` shows them.`)
const served = registry.surfaces.flatMap(surface =>
  surface.route.methods.map(method => ({ surface, pair: pairOf({ method, path: surface.route.path }) })))

t.test('the ledger is well-formed: each pair once, in order of kind, path and method, either served or pending', t => {
  t.same(source.diagnostics, [])
  t.equal(byPair.size, rows.length, 'each pair stands once')
  const rank = (row: Row): string => `${kindNames.indexOf(row.kind)} ${row.path} ${methods.indexOf(row.method)}`
  t.same(rows.map(pairOf), [...rows].sort((a, b) => rank(a) < rank(b) ? -1 : 1).map(pairOf), 'sorted')
  for (const row of rows) {
    t.ok(kindNames.includes(row.kind) && methods.includes(row.method), `${pairOf(row)}: kind and method`)
    t.equal([row.served, row.pending].filter(state => state !== undefined).length, 1, `${pairOf(row)}: served or pending`)
    t.equal(row.kind === 'handler', row.why !== undefined, `${pairOf(row)}: a handler, and only a handler, says why`)
  }
  t.end()
})

t.test('every surface that is registered is in the ledger, with its kind', t => {
  for (const { surface, pair } of served) {
    const row = byPair.get(pair)
    if (row === undefined) t.ok(beyond.includes(surface.id), `${pair} (${surface.id}) is a row, or listed under \`beyond\``)
    else t.match(row, { served: surface.id, kind: surface.kind }, pair)
  }
  t.end()
})

t.test('every row that is marked served is registered, and nothing is listed without need', t => {
  const pairs = new Map(served.map(({ surface, pair }) => [pair, surface.id]))
  for (const row of rows) {
    t.equal(pairs.get(pairOf(row)), row.served, `${pairOf(row)} is ${row.served === undefined ? 'still pending' : 'served'}`)
  }
  for (const id of beyond) {
    t.ok(served.some(({ surface, pair }) => surface.id === id && !byPair.has(pair)), `${id} is registered and no part of the interface`)
  }
  t.end()
})

for (const kind of kindNames) {
  const ofKind = rows.filter(row => row.kind === kind)
  const done = ofKind.filter(row => row.served !== undefined)
  t.comment(`${kind}: ${ofKind.length} of ${rows.length} (${Math.round(100 * ofKind.length / rows.length)} %), ${done.length} served`)
}
