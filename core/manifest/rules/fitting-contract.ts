import { report } from '../../source/report.ts'
import type { ManifestRule } from './rule.ts'

/** M317: only code computes the hashes of a structural document. */
export const fittingContract: ManifestRule = ({ source, manifest }) => manifest.contract !== 'math-mirror' || manifest.kind === 'handler'
  ? []
  : [report(source, 'M317', ['contract'], `A \`${manifest.kind}\` surface cannot answer with a structural document.`, { hint: 'Use `envelope` or `bare`.' })]
