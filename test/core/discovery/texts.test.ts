import t from 'tap'
import { build, observations, registry, registryOf, surface } from './fixture.ts'

t.test('llms.txt has the order of the convention: title, summary, sections of links', t => {
  const text = build('llms') as string
  const lines = text.split('\n').filter(line => line !== '')
  t.equal(lines[0], '# Tide Tables of the North Coast')
  t.match(lines[1], /^> /)
  const sections = lines.slice(lines.findIndex(line => line.startsWith('## ')))
  for (const line of sections) t.match(line, /^(## .+|- \[[^\]]+\]\(https:\/\/tides\.example\.org\/[^)]*\): .+)$/)
  t.ok(Buffer.byteLength(text) < 10_000)
  t.end()
})

t.test('llms.txt names every surface, links a working URL, and says what is paused', t => {
  const text = build('llms') as string
  for (const { route } of registry.surfaces) t.ok(text.includes(route.path), route.path)
  t.match(text, '[/api/v1/harbours/{slug}/history](https://tides.example.org/api/v1/harbours/x/history)')
  t.match(text, '(paused, no data)')
  t.end()
})

t.test('robots.txt closes what needs an account, and nothing else', t => {
  const text = build('robots', {
    registry: registryOf([
      surface('a', '/a'),
      surface('b', '/b/{id}/c', { access: ['user'] }),
      surface('c', '/c', { access: ['wholesale-key'] }),
      surface('d', '/d', { access: ['public', 'user'] })
    ])
  }) as string
  t.same(
    text.split('\n').filter(line => line.startsWith('Disallow')),
    ['Disallow: /b/*/c$', 'Disallow: /c$']
  )
  t.match(text, /^User-agent: \*$/m)
  t.end()
})

t.test('the sitemap has the pages that everyone may read, also where people with an account read more', t => {
  const page = { formats: ['html'] } as const
  const { urls } = build('sitemap', {
    registry: registryOf([
      surface('a', '/a', page),
      surface('b', '/b', { ...page, access: ['public', 'user'] }),
      surface('c', '/c', { ...page, access: ['user'] }),
      surface('d', '/d/{id}', page)
    ])
  }) as { urls: readonly string[] }
  t.same(urls, ['/a', '/b'])
  t.end()
})

t.test('security.txt has a contact and expires within a year', t => {
  const text = build('security') as string
  t.match(text, /^Contact: mailto:harbour@example\.org$/m)
  t.match(text, /^Canonical: https:\/\/tides\.example\.org\/api\/v1\/security$/m)
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '')
  const plain = build('security', {
    registry: { ...registry, service: { ...registry.service, base_url: 'http://127.0.0.1:8080' } }
  }) as string
  t.notMatch(plain, /^Canonical:/m, 'RFC 9116 section 2.5.2 wants https')
  t.ok(expires > observations.now.getTime() && expires < observations.now.getTime() + 365 * 86_400_000)
  t.end()
})
