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

/** Only where a page of the service has a search field in the menu. */
const withSearch = ['opensearch']

t.test('each surface of the framework is in one part, always there, or there with a search', t => {
  const folder = `${standard.folder}/manifests`
  const declared = filesBelow(folder, '.yaml').map(file => relative(folder, file).replace(/\.yaml$/, ''))
  t.same([...Object.values(surfacesOfParts).flat(), ...always, ...withSearch].sort(), declared.sort())
  t.end()
})
