// test: slow.
import t from 'tap'
import { requestOf } from '../../bin/promises/examples.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { generationOf, library, serveGeneration } from '../support/serve-root.ts'

const isOwnPath = /^\/(api|rels|schemas|data|\.well-known|llms\.txt|robots\.txt)(\/|$|\.)?/

/**
 * Every text of an answer that is a path of this service or an absolute URL of it, in JSON, Markdown and plain text
 * alike.
 */
function pointersIn(text: string, origin: string): string[] {
  const found = new Set<string>()
  for (const [candidate] of text
    // Rules of robots.txt name prefixes, at which there may be nothing.
    .replaceAll(/^Disallow: \S+\/$/gm, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .matchAll(
      /(?:https?:\/\/[^\s"'<>)\]\\`|,]+|(?<=["'`(<\s]|^)\/(?:api|rels|schemas|data|\.well-known)\/[^\s"'<>)\]\\`|,]*|\/(?:llms|robots)\.txt)/gm
    )) {
    const local = candidate.startsWith(origin) ? candidate.slice(origin.length) : candidate
    // A pattern of robots.txt ends with `$` where no deeper path is meant.
    const pointer = local.replace(/[.;:]+$|\$$/, '')
    // Patterns of robots.txt (RFC 9309 §2.2.3) name many paths.
    if (isOwnPath.test(pointer) && !pointer.includes('*')) found.add(pointer)
  }
  return [...found]
}

/** Contracts quote patterns and examples of paths that need not exist; other documents have their own pointers too. */
const contracts = new Set(['/api/openapi.json', '/schemas/surface-manifest.v1.json', '/schemas/manifest-reference'])
const isContract = (path: string): boolean => contracts.has(path) || /^\/(?:api\/v1\/explorer|explore)\//.test(path)

t.test('every pointer in every answer leads somewhere', async t => {
  const { url } = await bundledDatabase(t)
  const origin = 'https://pantry.test'
  const { get, registry } = await serveGeneration(
    t,
    await generationOf(t, ['.', library], { databaseUrl: url, baseUrl: origin })
  )
  const templates = new Set(registry.surfaces.map(({ route }) => route.path))
  /** Examples that show a failure are published too: their paths answer as they say. */
  const failing = new Map(
    registry.surfaces
      .flatMap(({ examples }) => examples.filter(({ as }) => as === undefined))
      .map(({ url, expect }) => [url.split('?')[0] ?? '', expect.status] as const)
      .filter(([, status]) => status >= 400)
  )
  const from = new Map<string, string>()
  for (const { examples, formats } of registry.surfaces) {
    for (const example of examples.filter(({ as }) => as === undefined)) {
      const { url: path, method } = example
      for (const format of method === 'GET' && !path.includes('format=') ? formats : [undefined]) {
        const asked =
          format === undefined || formats.length === 1
            ? path
            : `${path}${path.includes('?') ? '&' : '?'}format=${format}`
        const text = await (await get(asked, requestOf(example))).text()
        if (!isContract(path.split('?')[0] ?? path))
          for (const pointer of pointersIn(text, origin)) if (!from.has(pointer)) from.set(pointer, asked)
      }
    }
  }
  t.ok(from.size > 200, `${from.size} pointers`)
  for (const [pointer, place] of from) {
    const [path = ''] = pointer.split(/[?#]/)
    const decoded = path.replaceAll('%7B', '{').replaceAll('%7D', '}').replaceAll('\\', '')
    if (decoded.includes('{')) {
      t.ok(templates.has(decoded), `${pointer} in ${place} is a declared template`)
      continue
    }
    const response = await get(pointer.split('#')[0] ?? '')
    const paused = response.status === 503 && response.headers.get('retry-after') !== null
    const postOnly = response.status === 405
    t.ok(
      response.status < 400 || paused || postOnly || failing.get(path) === response.status,
      `${pointer} in ${place} answers ${response.status}`
    )
    await response.body?.cancel()
  }
})
