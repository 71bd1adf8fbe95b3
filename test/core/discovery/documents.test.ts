import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../../../bin/project.ts'
import { discoveryDocuments, discoveryModules } from '../../../core/discovery/index.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { build, registry, requestFor } from './fixture.ts'

t.test('code points to documents that there are', t => {
  const folder = join(packageFolder, 'core', 'discovery')
  const named = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .flatMap(file =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/(?:documentPathOf|surfaceOf)\(registry, '([^']+)'/g)].map(
        found => found[1]!
      )
    )
  t.ok(named.length > 20)
  t.same(
    [...new Set(named)].filter(name => !discoveryModules.has(name)),
    []
  )
  t.end()
})

for (const document of discoveryDocuments) {
  t.test(document, t => {
    const request = requestFor(document)
    const value = build(document, { request })
    t.same(compileSchema(registry.byId.get(document)!.output)(value), [], 'matches its own schema')
    t.equal(JSON.stringify(build(document, { request })), JSON.stringify(value), 'is the same for the same registry')
    t.same(JSON.parse(JSON.stringify(value)), value, 'is plain JSON')
    t.end()
  })
}

/** Every string that looks like a path or an own URL, anywhere in a document. */
function pointersIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const path = value.startsWith(registry.service.base_url) ? value.slice(registry.service.base_url.length) : value
    return /^\/[^\s,]*$/.test(path) ? [path] : []
  }
  if (Array.isArray(value)) return value.flatMap(pointersIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pointersIn) : []
}

const patterns = registry.surfaces.map(surface => new RegExp(`^${surface.route.path.replace(/\{[^}]*\}/g, '[^/]+')}$`))
const served = (path: string): boolean =>
  patterns.some(pattern =>
    pattern.test(path.replace(/[?#{].*$/, match => (match.startsWith('{') && !match.startsWith('{?') ? match : '')))
  )

for (const document of discoveryDocuments) {
  if (document === 'openapi') continue
  t.test(`every pointer of ${document} leads to a surface`, t => {
    for (const pointer of pointersIn(build(document, { request: requestFor(document) }))) {
      if (document === 'example' && pointer.startsWith('/data')) continue
      t.ok(served(pointer) || pointer.startsWith('/rels/'), pointer)
    }
    t.end()
  })
}
