import { relative } from 'node:path'
import t from 'tap'
import { filesBelow } from '../../../bin/root-modules.ts'
import { surfacesOfParts } from '../../../core/registry/standard-choice.ts'
import { standard } from '../../support/standard.ts'

/** What the contract needs, and what documents and pages link to: no service leaves it out. */
const always = [
  'assets',
  'diagnostic',
  'example',
  'examples',
  'favicon',
  'health',
  'manifest',
  'openapi',
  'rate-limits',
  'relation',
  'root',
  'security',
  'status'
]

t.test('each surface of the framework is in one part, or always there', t => {
  const folder = `${standard.folder}/manifests`
  const declared = filesBelow(folder, '.yaml').map(file => relative(folder, file).replace(/\.yaml$/, ''))
  t.same([...Object.values(surfacesOfParts).flat(), ...always].sort(), declared.sort())
  t.end()
})
