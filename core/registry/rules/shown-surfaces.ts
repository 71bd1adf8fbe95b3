import { suggestion } from '../../diagnostics/suggest.ts'
import { surfaceAt } from '../../manifest/surface.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from './rule.ts'

/**
 * M430: each request that a page makes must be answered by a surface, as JSON. A path of a manifest with errors is
 * accepted.
 */
export const shownSurfaces: SurfaceRule = (surfaces, { manifests }) => {
  const served = surfaces.flatMap(({ surface }) => (surface.formOf === undefined ? [surface] : []))
  const pathsOf = (asked: 'GET' | 'POST'): string[] =>
    manifests.flatMap(({ manifest: { path, method = 'GET' } }) => ([method].flat().includes(asked) ? [path] : []))
  return surfaces.flatMap(({ surface: { page, formOf }, file }) =>
    // What a form shows is said once, by its page.
    (formOf === undefined ? (['shows', 'besides'] as const) : (['sends'] as const)).flatMap(list =>
      [page?.[list] ?? []].flat().flatMap(target => {
        // If the target is a whole URL from an earlier answer, it is known only at run time.
        if (target.whole !== undefined) return []
        const [asked = ''] = target.text.split(/[?]|\{[?&]/)
        const method = list === 'sends' ? 'POST' : 'GET'
        const surface = surfaceAt(served, target, method)
        if (surface?.formats.includes('json') === true || (surface === undefined && pathsOf(method).includes(asked)))
          return []
        return [
          report(
            file.source,
            'M430',
            [list],
            `No surface answers ${method === 'POST' ? 'POST at ' : ''}\`${asked}\` with JSON.`,
            {
              hint: suggestion(
                asked,
                pathsOf(method).filter(path => path !== asked)
              )
            }
          )
        ]
      })
    )
  )
}
