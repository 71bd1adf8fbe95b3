import { requestOf } from './examples.ts'
import type { Promised, Subject } from './subject.ts'

/** Returns the targets of a Link header (RFC 8288) on this service. */
function targetsOf(response: Response, origin: string): readonly string[] {
  return [...(response.headers.get('link') ?? '').matchAll(/<([^>]*)>/g)]
    .map(found => found[1] ?? '')
    .map(target => (target.startsWith(origin) ? target.slice(origin.length) : target))
    .filter(target => target.startsWith('/'))
}

/**
 * Returns the status if a link target is broken. A 503 with `Retry-After` and a 405 (the path takes other methods) are
 * not broken.
 */
async function isDead({ ask }: Subject, path: string): Promise<number | undefined> {
  const response = await ask(path)
  await response.body?.cancel()
  const paused = response.status === 503 && response.headers.get('retry-after') !== null
  return response.status < 400 || response.status === 405 || paused ? undefined : response.status
}

export const links: Promised = {
  name: 'Every link leads somewhere.',
  broken: async subject => {
    const from = new Map<string, string>()
    /** URLs of examples that expect an error. They may be linked to, and their status is checked as an example. */
    const failing = new Set(
      subject.registry.surfaces.flatMap(({ examples }) =>
        examples.filter(({ expect }) => expect.status >= 400).map(({ url }) => url)
      )
    )
    for (const {
      examples: [example]
    } of subject.registry.surfaces) {
      if (example === undefined) continue
      const response = await subject.ask(example.url, requestOf(example))
      await response.body?.cancel()
      // The path of the example itself exists, though without its query the request may be invalid.
      const answered = example.url.split('?')[0]
      for (const target of targetsOf(response, subject.registry.service.base_url))
        if (target !== answered && !from.has(target)) from.set(target, example.url)
    }
    const found: string[] = []
    for (const [target, place] of from) {
      const status = failing.has(target) ? undefined : await isDead(subject, target)
      if (status !== undefined) found.push(`${place} links to ${target}, which answers ${status}.`)
    }
    return found
  }
}
