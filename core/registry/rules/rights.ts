import { accessTable, admitsEveryone, isOpen } from '../../access/index.ts'
import { quotedList } from '../../diagnostics/diagnostic.ts'
import { surfaceAt } from '../../manifest/surface.ts'
import { report } from '../../source/report.ts'
import { checkName, referencesOf, type ReferenceRule, type SurfaceRule } from '../draft.ts'

/**
 * M413: if the license tier of a surface is a public-domain dedication, so must be the tiers of its sources and of the
 * corpora that its answer is made from.
 */
export const openRights: ReferenceRule = function* ({ service: { tiers, sources }, manifests, corpora }) {
  const isOpen = (tier: string | undefined): boolean => tier !== undefined && tiers[tier]?.open === true
  for (const file of manifests) {
    const { source, manifest } = file
    if (!isOpen(manifest.license)) continue
    const closed = manifest.sources.find(label => label in sources && !isOpen(sources[label]?.license))
    if (closed !== undefined) {
      const license = sources[closed]?.license ?? 'unknown'
      const message = `\`${manifest.license}\` cannot cover the source \`${closed}\`, which is \`${license}\`.`
      yield report(source, 'M413', ['license'], message, {
        hint: `Write \`license: ${license}\`, or name only open sources.`
      })
      continue
    }
    for (const { to, name, answersWith } of referencesOf(file)) {
      const license = to === 'corpora' && answersWith ? corpora.get(name)?.corpus.license : undefined
      if (license === undefined || tiers[license] === undefined || isOpen(license)) continue
      const message = `\`${manifest.license}\` cannot cover the corpus \`${name}\`, which is \`${license}\`.`
      yield report(source, 'M413', ['license'], message, { hint: `Write \`license: ${license}\`.` })
    }
  }
}

/**
 * M427: the access of a form names access kinds. M433: a form admits only access kinds that the surface that it sends
 * to, or a page that is not public, admits; and if callers of the form are identified, so must be callers of its page.
 */
export const formRights: SurfaceRule = function* (surfaces, { service }) {
  const all = surfaces.flatMap(({ surface }) => (surface.formOf === undefined ? [surface] : []))
  const kinds = new Set(Object.keys(accessTable(service.access)))
  for (const {
    surface: { formOf, access, page: form },
    file: { source }
  } of surfaces) {
    const page = all.find(({ id }) => id === formOf)
    if (page === undefined || form?.sends === undefined) continue
    for (const kind of access) yield* checkName(source, 'M427', ['access'], 'access kind', kind, kinds)
    const target = form.sends.whole === undefined ? surfaceAt(all, form.sends, 'POST') : page
    if (target === undefined || !access.every(kind => kinds.has(kind))) continue
    if (isOpen(page.access) && !isOpen(access))
      yield report(source, 'M433', ['sends'], 'The page does not read who asks, so nobody could send this form.', {
        hint: `Let the page say \`access: [${[...new Set(['public', ...access])].join(', ')}]\`, or fewer of these.`
      })
    else if (!admitsEveryone(target.access)) {
      const admitted = [...target.access, ...(admitsEveryone(page.access) ? [] : page.access)]
      for (const kind of access.filter(name => !admitted.includes(name)))
        yield report(source, 'M433', ['access'], `\`${target.route.path}\` does not let in \`${kind}\`.`, {
          hint: `It lets in ${quotedList(target.access)}. Without \`access\` the form does too.`
        })
    }
  }
}
