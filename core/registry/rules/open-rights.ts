import { report } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

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
