import { accessTable, admitsEveryone, isOpen } from '../../access/index.ts'
import { quotedList } from '../../diagnostics/counted.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { surfaceAt } from '../../manifest/surface.ts'
import { report } from '../../source/report.ts'
import type { DraftSurface } from '../draft.ts'
import { reportUnknown, type SurfaceRule } from './rule.ts'

/**
 * M427: the access of a form names access kinds. M433: a form lets in nobody whom the surface that it sends to does not
 * let in, and its page knows who sends it.
 */
export const formRights: SurfaceRule = (surfaces, { service }) => {
  const all = surfaces.flatMap(({ surface }) => (surface.formOf === undefined ? [surface] : []))
  const kinds = accessTable(service.access)
  return surfaces.flatMap(({ surface: { formOf, access, page: form }, file }: DraftSurface): Diagnostic[] => {
    const page = all.find(({ id }) => id === formOf)
    if (page === undefined || form?.sends === undefined) return []
    const unknown = access.filter(kind => !Object.hasOwn(kinds, kind))
    if (unknown.length > 0)
      return unknown.map(kind =>
        reportUnknown(file.source, 'M427', ['access'], 'access kind', kind, Object.keys(kinds))
      )
    const isClosed = !admitsEveryone(page.access)
    const target = form.sends.whole === undefined ? surfaceAt(all, form.sends, 'POST') : page
    if (target === undefined) return []
    if (isOpen(page.access) && !isOpen(access))
      return [
        report(file.source, 'M433', ['sends'], `The page does not read who asks, so nobody could send this form.`, {
          hint: `Let the page say \`access: [${[...new Set(['public', ...access])].join(', ')}]\`, or fewer of these.`
        })
      ]
    return admitsEveryone(target.access)
      ? []
      : access
          .filter(kind => !(target.access.includes(kind) || (isClosed && page.access.includes(kind))))
          .map(kind =>
            report(file.source, 'M433', ['access'], `\`${target.route.path}\` does not let in \`${kind}\`.`, {
              hint: `It lets in ${quotedList(target.access)}. Without \`access\` the form does too.`
            })
          )
  })
}
