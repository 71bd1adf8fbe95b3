import { accessTable } from '../../access/index.ts'
import { quotedList } from '../../diagnostics/counted.ts'
import { report } from '../../source/report.ts'
import type { ReferenceRule } from './rule.ts'

/** Caller class that counts all requests of one person, with any of that person's credentials. */
const owner = 'person'

/**
 * M432: a rate limit can be marked `enforced` only for callers with a credential, because only they are ever refused.
 */
export const enforcedLimits: ReferenceRule = ({ service, serviceSource }) => {
  const told = Object.entries(accessTable(service.access)).flatMap(([name, { credential }]) =>
    credential === undefined ? [] : [name, credential.name]
  )
  const known = [...new Set(told.length === 0 ? [] : [...told, owner])].sort()
  return service.rate_policy.classes.flatMap(({ caller, enforced }, index) =>
    !enforced || known.includes(caller)
      ? []
      : [
          report(
            serviceSource,
            'M432',
            ['rate_policy', 'classes', index, 'enforced'],
            `Nobody is refused as \`${caller}\`: only callers with a credential are.`,
            { hint: `Write \`enforced: false\`, or name one of: ${quotedList(known)}.` }
          )
        ]
  )
}
