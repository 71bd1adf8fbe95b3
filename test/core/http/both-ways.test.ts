import t from 'tap'
import fc from 'fast-check'
import { generationOf, library, serveGeneration } from '../../support/serve-root.ts'

const facets = `summary: A shelf.
tags: [shelf]
access: public
carries_pii: false
requires_consent: false
freshness: catalog
license: CC0-1.0
sources: [self]
provenance: static
since: 2026-11-20
contract: envelope
`
const shut = (path: string, example = ''): string =>
  `kind: status-only\npath: ${path}\n${facets}status: 200\nanswer: { path: '${path}' }\n${example}`
const one = 'examples: [{ title: One, params: { room: a } }]\n'

// Literals that mean something to routers, and routes that a placeholder covers in part.
const root = {
  manifests: {
    'dot.yaml': shut('/api/v1/a.b'),
    'plus.yaml': shut('/api/v1/a+b'),
    'room.yaml': shut('/api/v1/rooms/{room}', one),
    'room-door.yaml': shut('/api/v1/rooms/{room}/door', one),
    'attic.yaml': shut('/api/v1/rooms/attic'),
    'attic-window.yaml': shut('/api/v1/rooms/attic/window')
  }
}

const stable = (text: string): string =>
  text
    .replace(/req_[\w-]{16}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/^(date|ratelimit-\w+|x-request-id): .*$/gim, '')
    .split('\r\n\r\n')
    .map((part, at) =>
      at === 0
        ? part
            .toLowerCase()
            .split('\r\n')
            .filter(line => line !== '')
            .sort()
            .join('\n')
        : part
    )
    .join('\n\n')

t.test('the direct way and the Koa chain give the same answer to any target', async t => {
  const generation = await generationOf(t, [library, t.testdir(root)])
  const [direct, chained] = [
    await serveGeneration(t, generation),
    await serveGeneration(t, generation, { direct: false })
  ]
  const declared = generation.registry.surfaces
    .filter(({ route }) => !/\/(status|health)$/.test(route.path))
    .map(({ route }) => route.path)
  const segment = fc.constantFrom(
    'a.b',
    'a+b',
    'a%2Bb',
    'aXb',
    'rooms',
    'room%73',
    'attic',
    '%61ttic',
    'Attic',
    'door',
    'window',
    'x',
    'a%2Fb',
    '%',
    '%ff',
    '%00',
    '',
    '.',
    '..',
    '{room}',
    ':room',
    '(x)',
    '*',
    'é',
    'books',
    'library'
  )
  const path = fc.oneof(
    fc.array(segment, { maxLength: 4 }).map(parts => `/api/v1/${parts.join('/')}`),
    fc.constantFrom(...declared),
    fc.array(segment, { maxLength: 3 }).map(parts => parts.join('/'))
  )
  const target = fc
    .tuple(path, fc.constantFrom('', '', '', '?', '?x=1', '?format=md', '?%', '?a=1&a=2', '#x'))
    .map(([text, query]) => text + query)
  const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND')
  const sample = fc.sample(fc.tuple(method, target), { numRuns: 250, seed: 20261122 })
  const fixed: [string, string][] = [
    ['OPTIONS', '*'],
    ['GET', '*'],
    ['GET', 'http://a/api/v1/a.b'],
    ['GET', 'http://a'],
    ['GET', '//a/api/v1/a.b'],
    ['GET', 'ftp://a/x']
  ]
  for (const [method, target] of [...fixed, ...sample]) {
    const text = `${method} ${target || '/'} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    const [a, b] = await Promise.all([direct.raw(text), chained.raw(text)])
    if (stable(a) !== stable(b)) t.equal(stable(a), stable(b), `${method} ${target}`)
  }
  t.pass('all of them')
})
