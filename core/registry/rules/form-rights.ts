import { surfaceAt } from '../../manifest/target.ts'
import { report } from '../../source/report.ts'
import type { SurfaceRule } from './rule.ts'

/**
 * M433: a form lets in nobody whom the surface that it sends to does not let in; where that is known only when it is
 * sent, nobody whom its page does not let in.
 */
export const formRights: SurfaceRule = surfaces => {
  const all = surfaces.flatMap(({ surface }) => (surface.formOf === undefined ? [surface] : []))
  return surfaces.flatMap(({ surface: { formOf, access, page }, file }) => {
    if (formOf === undefined || page?.sends === undefined) return []
    const target = surfaceAt(all, page.sends, 'POST') ?? all.find(({ id }) => id === formOf)
    const added = access.filter(kind => target?.access.includes(kind) === false)
    return added.map(kind =>
      report(file.source, 'M433', ['access'], `\`${target?.route.path ?? ''}\` does not let in \`${kind}\`.`, {
        hint: `It lets in ${(target?.access ?? []).map(one => `\`${one}\``).join(', ')}. Without \`access\` the form does too.`
      })
    )
  })
}
