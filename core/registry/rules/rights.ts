import { accessTable, admitsEveryone, isOpen } from '../../access/index.ts'
import { quotedList, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { surfaceAt } from '../../manifest/surface.ts'
import { report } from '../../source/report.ts'
import { reportUnknown, type DraftSurface, type ReferenceRule, type SurfaceRule } from '../draft.ts'

/** M413: a surface with a public-domain license tier must have only sources and content with such tiers. */
export const openRights: ReferenceRule = ({ service, manifests, corpora }) => {
  const isOpen = (tier: string | undefined): boolean => tier !== undefined && service.tiers[tier]?.open === true
  return manifests.flatMap(file => {
    const { source, manifest } = file
    if (!isOpen(manifest.license)) return []
    const closed = manifest.sources.find(label => label in service.sources && !isOpen(service.sources[label]?.license))
    if (closed !== undefined) {
      const license = service.sources[closed]?.license ?? 'unknown'
      return [
        report(
          source,
          'M413',
          ['license'],
          `\`${manifest.license}\` cannot cover the source \`${closed}\`, which is \`${license}\`.`,
          { hint: `Write \`license: ${license}\`, or name only open sources.` }
        )
      ]
    }
    return (file.kind.refersTo?.(file) ?? []).flatMap(({ to, name, answersWith }) => {
      const corpus = to === 'corpora' && answersWith ? corpora.get(name)?.corpus : undefined
      return corpus === undefined || service.tiers[corpus.license] === undefined || isOpen(corpus.license)
        ? []
        : [
            report(
              source,
              'M413',
              ['license'],
              `\`${manifest.license}\` cannot cover the corpus \`${corpus.name}\`, which is \`${corpus.license}\`.`,
              { hint: `Write \`license: ${corpus.license}\`.` }
            )
          ]
    })
  })
}

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
