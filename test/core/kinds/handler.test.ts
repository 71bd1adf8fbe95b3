import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { joinTables, packageFolder } from '../../../bin/roots.ts'
import { canonicalize, type JsonObject } from '../../../core/canonical/json.ts'
import { changeMirror, finishMirror, mirrorDocument } from '../../../core/contract/math-mirror.ts'
import { isAlwaysShown } from '../../../core/corpus/select.ts'
import { compileHandlerFieldset } from '../../../core/kinds/handler.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { propertiesOf } from '../../../core/schema/json-schema.ts'
import { registryOf } from '../../support/registry.ts'

const { roots, registry } = await registryOf([packageFolder], 'http://127.0.0.1:8080')
const handlers = joinTables(roots)
const recorded = JSON.parse(readFileSync(join(packageFolder, 'manifests/examples.json'), 'utf8')) as Readonly<
  Record<string, JsonObject>
>

t.test('no choice removes what says rights, and what is shown fits the published schema', t => {
  const choosing = [...handlers].flatMap(([id, code]) =>
    'handle' in code && code.entries !== undefined ? [{ id, code, entries: code.entries }] : []
  )
  t.ok(choosing.length > 0)
  for (const { id, code, entries } of choosing) {
    const surface = registry.byId.get(id)!
    t.ok('fields' in propertiesOf(surface.input.query), `${id} says that it takes the choice`)
    const answers = surface.examples
      .filter(({ expect }) => expect.status === 200)
      .map(({ method, url }) => recorded[`${method} ${url}`])
      .filter(answer => answer !== undefined)
    t.ok(answers.length > 0, id)
    for (const whole of answers) {
      const data = compileHandlerFieldset(code)(entries.key)({ status: 200, data: whole }).data as JsonObject
      t.same(compileSchema(surface.output)(data), [], id)
      const entriesIn = (body: JsonObject) =>
        (entries.in === undefined ? [body] : body[entries.in]) as readonly JsonObject[]
      for (const [index, entry] of entriesIn(whole).entries()) {
        t.same(
          Object.keys(entriesIn(data)[index]!).sort(),
          Object.keys(entry)
            .filter(name => name === entries.key || isAlwaysShown(name))
            .sort(),
          id
        )
      }
    }
  }
  t.end()
})

t.test('a structural document that was cut hashes what it shows', t => {
  const text = mirrorDocument({
    encoding: 'e',
    kind: 'k',
    seed: 1,
    body: { a: 1, b: ',"@retrieved_at":null,"@self_hash":null,' },
    sources: ['s'],
    sourceLicense: ['noassertion']
  })
  t.same(
    changeMirror(text, document => document),
    text
  )
  const now = new Date(0)
  const withoutA = (document: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'a'))
  const cut = JSON.parse(finishMirror(changeMirror(text, withoutA), now)) as JsonObject
  t.match(cut, { b: String, '@content_hash': String })
  t.notOk('a' in cut)
  t.equal(canonicalize(cut), finishMirror(changeMirror(text, withoutA), now))
  t.end()
})
