import { report } from '../../source/report.ts'
import { metaFields, occasionalMetaFields } from '../../vocabulary/words.ts'
import type { ReferenceRule } from './rule.ts'

/** M319: a member that a service adds to `_meta` must not have the name of one of the framework's own members. */
export const envelopeMembers: ReferenceRule = ({ service, serviceSource }) => {
  const own: readonly string[] = [...metaFields, ...occasionalMetaFields]
  return Object.keys(service.envelope).flatMap(name =>
    !own.includes(name)
      ? []
      : [
          report(serviceSource, 'M319', ['envelope', name], `Every \`_meta\` has a member \`${name}\` of its own.`, {
            on: 'key',
            hint: 'Choose another name.'
          })
        ]
  )
}
