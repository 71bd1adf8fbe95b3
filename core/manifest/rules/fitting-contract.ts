import { quotedList } from '../../diagnostics/counted.ts'
import { report } from '../../source/report.ts'
import type { ManifestRule } from './rule.ts'

/** M317: the kind must support the contract. Only code can compute the hashes of a structural document. */
export const fittingContract: ManifestRule = ({ source, kind, manifest }) =>
  kind.contracts.includes(manifest.contract)
    ? []
    : [
        report(source, 'M317', ['contract'], `A \`${kind.name}\` surface cannot answer with a structural document.`, {
          hint: `Use ${quotedList(kind.contracts, ' or ')}.`
        })
      ]
