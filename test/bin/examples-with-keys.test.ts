// test: slow.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { libraryIn, pantry } from '../support/command-line.ts'

/** The library with a surface for keys, whose examples are given. */
function libraryWith(folder: string, examples: string): string {
  const root = libraryIn(folder)
  appendFileSync(join(root, 'manifests', 'service.yaml'), 'scopes:\n  keep: { meaning: Keeps the shelves. }\n')
  writeFileSync(
    join(root, 'manifests', 'shelves.yaml'),
    `kind: status-only
path: /api/v1/library/shelves
summary: How full the shelves are.
tags: [library]
access: agent
scope: keep
carries_pii: false
requires_consent: false
freshness: status
license: CC0-1.0
sources: [self]
provenance: static
since: 2026-11-20
contract: envelope
status: 200
answer: { free: 12 }
examples:
${examples}`
  )
  return root
}

const withKeys = (root: string): readonly string[] => ['--root', root, '--root', 'pantry/keys']

t.test('an example is asked with a key of who asks, and none is published', async t => {
  const root = libraryWith(
    join(t.testdir(), 'library'),
    `  - { title: As a keeper, as: agent/keep, expect: { shows: { /data/free: 12 } } }
  - { title: With another key, as: agent, expect: { status: 403 } }
  - { title: Without a key, expect: { status: 401 } }
`
  )
  const recorded = await pantry(['test', '--record', ...withKeys(root)])
  t.equal(recorded.code, 0, recorded.stdout)
  t.match(recorded.stderr, /7 promises kept, 0 broken/)
  t.equal((await pantry(['validate', '--examples', ...withKeys(root)])).code, 0)
  const answers = readFileSync(join(root, 'manifests', 'examples.json'), 'utf8')
  t.notMatch(answers, /"GET \/api\/v1\/library\/shelves"/, 'what is behind a key is not recorded')
  const published = (await pantry(['get', '/api/v1/examples/get_shelves', ...withKeys(root)])).stdout
  t.match(JSON.parse(published), {
    data: {
      examples: [
        {
          curl: /^curl -sS -H 'Authorization: Bearer <key>' 'http.*\/api\/v1\/library\/shelves'$/,
          headers: { Authorization: 'Bearer <key>' }
        },
        {},
        { headers: {} }
      ]
    }
  })
  const openapi = (await pantry(['get', '/api/openapi.json', ...withKeys(root)])).stdout
  for (const text of [answers, published, openapi, recorded.stdout, recorded.stderr])
    t.notMatch(text, /pantry_key_/, 'no key is published')
})

t.test('an example that is refused says what to write', async t => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['{ title: Shelves }', ['pantry/keys'], /answered 401 instead of 200: .* Say who asks, .*: `as: agent\/keep`\./],
    ['{ title: Shelves, as: agent }', ['pantry/keys'], /answered 403 instead of 200: .*: `as: agent\/keep`\./],
    [
      '{ title: Shelves, as: agent/keep }',
      [],
      /answered 401 .* No root makes keys of `agent\/keep` for tests\. `pantry\/keys`/
    ]
  ]
  for (const [at, [example, roots, told]] of cases.entries()) {
    const root = libraryWith(join(t.testdir(), String(at)), `  - ${example}\n`)
    const named = [root, ...roots].flatMap(name => ['--root', name])
    const tested = await pantry(['test', ...named])
    t.equal(tested.code, 1)
    t.match(tested.stdout, told)
  }
  const root = libraryWith(join(t.testdir(), 'validated'), '  - { title: Shelves }\n')
  t.match(await pantry(['validate', '--examples', ...withKeys(root)]), {
    code: 1,
    stdout:
      /shelves\.yaml:\d+:\d+: error\[X101\][^]*= Say who asks, and the tests make a key for it: `as: agent\/keep`\./
  })
})
