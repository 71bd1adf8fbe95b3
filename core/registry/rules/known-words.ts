import { accessTable } from '../../access/index.ts'
import type { DiagnosticCode } from '../../diagnostics/catalog.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Manifest } from '../../manifest/schema.ts'
import { profilesOf } from '../../manifest/rights.ts'
import type { Pointer, SourceFile } from '../../source/source-file.ts'
import { reportUnknown, type ReferenceRule } from './rule.ts'

type Said = Pick<Manifest, 'license' | 'access' | 'sources'>

/**
 * M405, M406, M407, M427: freshness keys, tiers, source labels and further access kinds are words of `service.yaml`.
 * What a profile of rights says is looked at once, where it is declared.
 */
export const knownWords: ReferenceRule = ({ service, services, manifests, corpora }) => {
  const check = (
    source: SourceFile,
    pointer: Pointer,
    code: DiagnosticCode,
    noun: string,
    word: string,
    table: Readonly<Record<string, unknown>>
  ): Diagnostic[] =>
    Object.hasOwn(table, word) ? [] : [reportUnknown(source, code, pointer, noun, word, Object.keys(table))]
  const checkRights = (source: SourceFile, at: Pointer, { license, access, sources }: Said): Diagnostic[] => [
    ...check(source, [...at, 'license'], 'M406', 'license tier', license, service.tiers),
    ...[access]
      .flat()
      .flatMap((name, place) =>
        check(
          source,
          [...at, 'access', ...(Array.isArray(access) ? [place] : [])],
          'M427',
          'access kind',
          name,
          accessTable(service.access)
        )
      ),
    ...sources.flatMap((label, index) =>
      check(source, [...at, 'sources', index], 'M407', 'source label', label, service.sources)
    )
  ]
  return [
    ...services.flatMap(source =>
      Object.entries(profilesOf(source) ?? {}).flatMap(([name, rights]) =>
        checkRights(source, ['rights', name], rights)
      )
    ),
    ...manifests.flatMap(({ source, manifest }) => [
      ...check(source, ['freshness'], 'M405', 'freshness key', manifest.freshness, service.freshness),
      ...(manifest.rights === undefined ? checkRights(source, [], manifest) : [])
    ]),
    ...[...corpora.values()].flatMap(({ corpus, declaration }) =>
      check(declaration, ['license'], 'M406', 'license tier', corpus.license, service.tiers)
    )
  ]
}
