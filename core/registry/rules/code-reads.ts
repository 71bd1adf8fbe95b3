import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import { compileSchema } from '../../schema/compile.ts'
import { reportFile } from '../../source/report.ts'
import { ConceptKind } from '../../manifest/concept-kind.ts'
import type { ReferenceRule } from './rule.ts'

/** The corpus that discovery documents read, if a root has it. */
const conceptKinds = { file: 'core/manifest/concept-kind.ts', corpus: 'concept-kinds', entry: ConceptKind }

/** H107, H108: a corpus that code declares must exist, and its entries must match the schema that the code declares. */
export const codeReads: ReferenceRule = ({ reads, corpora, names }) =>
  [...reads, ...(names.corpora.has(conceptKinds.corpus) ? [conceptKinds] : [])].flatMap(
    ({ file, corpus: name, entry }): Diagnostic[] => {
      if (!names.corpora.has(name)) {
        return [
          reportFile(
            file,
            'H107',
            `There is no corpus \`${name}\`.`,
            suggestion(name, [...names.corpora]) ?? `Create \`corpora/${name}/\`.`
          )
        ]
      }
      const check = compileSchema(entry)
      for (const [key, value] of corpora.get(name)?.corpus.byKey ?? []) {
        const [issue] = check(value)
        // Only the first bad entry is reported: all entries have one schema, so the others are wrong in the same way.
        if (issue !== undefined)
          return [
            reportFile(
              file,
              'H108',
              `The entry \`${key}\` of the corpus \`${name}\` does not have the form that is read: ${issue.message}`,
              `Compare with \`corpora/${name}/schema.yaml\`.`
            )
          ]
      }
      return []
    }
  )
