import { report } from '../../source/report.ts'
import type { ManifestRule } from './rule.ts'

/** M322: a deprecated surface must say since when and why, and its sunset must be later than that date. */
export const deprecated: ManifestRule = ({ source, manifest: { stability, deprecation } }) => {
  if (deprecation === undefined) {
    return stability !== 'deprecated'
      ? []
      : [
          report(source, 'M322', ['stability'], 'A deprecated surface says since when and why.', {
            hint: 'Add `deprecation: { date, reason }`.'
          })
        ]
  }
  if (stability !== undefined && stability !== 'deprecated')
    return [
      report(source, 'M322', ['stability'], `What is deprecated is not \`${stability}\`.`, {
        hint: 'Remove `stability`, or `deprecation`.'
      })
    ]
  const { date, sunset } = deprecation
  if (sunset === undefined || sunset > date) return []
  const when = sunset === date ? 'the day on which it is deprecated' : `before it is deprecated on ${date}`
  return [
    report(source, 'M322', ['deprecation', 'sunset'], `The surface ends on ${sunset}, ${when}.`, {
      hint: 'Give its users time between the two days.'
    })
  ]
}
