import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { packageFolder } from '../../../bin/roots.ts'
import { declaredSources } from './bundled-sources.ts'

type Said = Readonly<{ kept: readonly string[]; left: Readonly<Record<string, string>> }>

const facts = parse(
  readFileSync(join(packageFolder, 'test/surfaces/import/data/printing-facts.yaml'), 'utf8')
) as Readonly<Record<string, Said>>
const attributes = ['edition', 'finish', 'reprint_of', 'stamp', 'treatment']

t.test('what is kept of printings, and what not, is said of every declared source', t => {
  const sources = declaredSources()
  t.same(Object.keys(facts).sort(), [...sources.keys()].sort())
  for (const [id, { kept, left }] of Object.entries(facts)) {
    const map = sources.get(id)?.reader?.map
    const declared = [
      ...(['printed_in', 'faces'] as const).filter(name => map?.[name] !== undefined),
      ...Object.keys(map?.attributes ?? {}).filter(name => attributes.includes(name))
    ]
    t.same([...kept].sort(), declared.sort(), id)
    t.ok(kept.length > 0 || Object.keys(left).length > 0, `${id} says why nothing is kept`)
  }
  t.end()
})
