import { suggestion } from '../../diagnostics/suggest.ts'
import { surfaceAt } from '../../manifest/target.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from './rule.ts'

/** M430: what a page shows is answered by a surface, as JSON. A path of a manifest with mistakes is not looked at. */
export const shownSurfaces: SurfaceRule = (surfaces, { manifests }) => {
  const served = surfaces.map(({ surface }) => surface)
  const paths = manifests.map(({ manifest: { path } }) => path)
  return surfaces.flatMap(({ surface: { page }, file }) => (['shows', 'besides'] as const).flatMap(list => (page?.[list] ?? []).flatMap(target => {
    const [asked = ''] = target.text.split(/[?]|\{[?&]/)
    if (surfaceAt(served, target)?.formats[0] === 'json' || (surfaceAt(served, target) === undefined && paths.includes(asked))) return []
    return [report(file.source, 'M430', [list], `No surface answers \`${asked}\` with JSON.`, { hint: suggestion(asked, paths) })]
  })))
}
