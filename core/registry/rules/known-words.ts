import { accessTable } from '../../access/index.ts'
import type { DiagnosticCode } from '../../diagnostics/catalog.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { suggestion } from '../../diagnostics/suggest.ts'
import { report } from '../../source/report.ts'
import type { Pointer, SourceFile } from '../../source/source-file.ts'
import type { ReferenceRule } from './rule.ts'

/** M405, M406, M407, M427: freshness keys, license tiers, source labels and access kinds must be declared. */
export const knownWords: ReferenceRule = ({ service, manifests, corpora }) => {
  const check = (
    source: SourceFile,
    pointer: Pointer,
    code: DiagnosticCode,
    noun: string,
    word: string,
    table: Readonly<Record<string, unknown>>
  ): Diagnostic[] =>
    Object.hasOwn(table, word)
      ? []
      : [
          report(source, code, pointer, `There is no ${noun} \`${word}\`.`, {
            hint: suggestion(word, Object.keys(table))
          })
        ]
  return [
    ...manifests.flatMap(({ source, manifest }) => [
      ...check(source, ['freshness'], 'M405', 'freshness key', manifest.freshness, service.freshness),
      ...check(source, ['license'], 'M406', 'license tier', manifest.license, service.tiers),
      ...[manifest.access]
        .flat()
        .flatMap((name, at) =>
          check(
            source,
            ['access', ...(Array.isArray(manifest.access) ? [at] : [])],
            'M427',
            'access kind',
            name,
            accessTable(service.access)
          )
        ),
      ...manifest.sources.flatMap((label, index) =>
        check(source, ['sources', index], 'M407', 'source label', label, service.sources)
      )
    ]),
    ...[...corpora.values()].flatMap(({ corpus, declaration }) =>
      check(declaration, ['license'], 'M406', 'license tier', corpus.license, service.tiers)
    )
  ]
}
