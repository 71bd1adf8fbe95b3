import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../bin/roots.ts'
import { namesToRecord } from '../../core/registry/operations.ts'
import { answerKey } from '../../core/registry/recorded-answers.ts'
import { namesFile, namesText } from '../../core/registry/recorded-names.ts'
import { build } from '../core/discovery/fixture.ts'
import { registryOf } from '../support/registry.ts'

const { registry } = await registryOf()
const advice = 'run `pantry test --record`'

t.test('every operation of the shipped service shows an answer', t => {
  const { paths } = build('openapi', { registry }) as {
    paths: Record<
      string,
      Record<
        string,
        { operationId?: string; security?: unknown[]; responses?: Record<string, { content?: Record<string, object> }> }
      >
    >
  }
  // What needs a credential is answered to nobody who records.
  const operations = Object.values(paths)
    .flatMap(item => Object.values(item))
    .filter(({ responses, security }) => responses !== undefined && security?.length === 0)
  // They are about a draw, or what follows from one, and its id is random.
  const ofDraws = [
    'post_proofs_draws_open',
    'get_proofs_consistency',
    'get_proofs_digests_digest',
    'get_proofs_receipt'
  ]
  const shows = (content: Record<string, object> = {}): boolean =>
    Object.values(content).some(form => 'examples' in form || 'example' in form)
  t.same(
    operations
      .filter(({ responses }) => !Object.values(responses ?? {}).some(({ content }) => shows(content)))
      .map(({ operationId = '' }) => operationId)
      .filter(name => !ofDraws.includes(name)),
    [],
    advice
  )
  t.ok(operations.length > 0)
  t.end()
})

t.test('every recorded answer is to an example that is declared', t => {
  const declared = new Set(registry.surfaces.flatMap(({ examples }) => examples.map(answerKey)))
  t.same(
    Object.keys(registry.answers).filter(key => !declared.has(key)),
    [],
    advice
  )
  t.end()
})

t.test('every name of an operation is recorded', t => {
  t.equal(readFileSync(join(packageFolder, 'manifests', namesFile), 'utf8'), namesText(namesToRecord(registry)), advice)
  t.end()
})
