import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  combinations,
  combinationsOf,
  consumersTable,
  forms,
  managers,
  nodes,
  readmeFile,
  withTable
} from './design.ts'

const pairs = (some: readonly string[], others: readonly string[]): string[] =>
  some.flatMap(one => others.map(other => `${one} on ${other}`)).sort()

t.test('at most eight projects, in which each manager and each form meets each Node', t => {
  t.equal(nodes.length, 3)
  t.ok(combinations.length <= 8)
  const met = (of: (one: (typeof combinations)[number]) => string): string[] =>
    [
      ...new Set(
        combinations.flatMap(one =>
          pairs(
            [of(one)],
            one.nodes.map(({ version }) => version)
          )
        )
      )
    ].sort()
  t.strictSame(
    met(({ manager }) => manager),
    pairs(
      managers,
      nodes.map(({ version }) => version)
    )
  )
  t.strictSame(
    met(({ form }) => form),
    pairs(
      forms,
      nodes.map(({ version }) => version)
    )
  )
  t.strictSame(
    combinationsOf(['a', 'b'], ['x', 'y'], [1, 2, 3]).map(
      ({ manager, form, nodes }) => `${manager}${form}${nodes.join('')}`
    ),
    ['ax12', 'ay3', 'by12', 'bx3']
  )
  t.end()
})

t.test('the table of the README is that of a run of them all; what was not run says so', t => {
  const readme = readFileSync(readmeFile, 'utf8')
  t.equal(withTable(readme, consumersTable(combinations)), readme, 'run `npm run consumers`')
  t.equal(consumersTable([]).split('not run').length - 1, managers.length * forms.length)
  t.throws(() => withTable('no place', ''), /has lost the comments/)
  t.end()
})
