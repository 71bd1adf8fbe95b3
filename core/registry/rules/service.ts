import { accessTable } from '../../access/index.ts'
import type { DiagnosticCode } from '../../diagnostics/catalog.ts'
import { quotedList, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { formatsOf, formatTable } from '../../format/index.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import { methodsOf } from '../../manifest/normalise.ts'
import { placeholdersOf } from '../../manifest/paths.ts'
import { profilesOf } from '../../manifest/rights.ts'
import { report, type Pointer, type SourceFile } from '../../source/report.ts'
import { metaFields, occasionalMetaFields } from '../../vocabulary/words.ts'
import { reportUnknown, type ReferenceRule } from '../draft.ts'

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

/** M311: the kind must offer each format of the manifest, be it one of the framework or of `service.yaml`. */
export const offeredFormats: ReferenceRule = ({ service, manifests }) => {
  const table = formatTable(service.formats)
  return manifests.flatMap(file => {
    const { source, kind, manifest } = file
    const offered = new Set([...formatsOf(table, kind.holds), ...(kind.ownFormats?.(file) ?? [])])
    return (manifest.formats ?? []).flatMap((format, index) =>
      offered.has(format)
        ? []
        : [
            report(source, 'M311', ['formats', index], `Kind \`${kind.name}\` does not offer \`${format}\`.`, {
              hint: `It offers ${quotedList(offered)}.`
            })
          ]
    )
  })
}

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

/** A surface that `service.yaml` names. `followed`: it is a link, so its path must have no placeholders. */
type Target = Readonly<{ id: string; pointer: Pointer; followed: boolean }>

/**
 * M409, M410: each surface that `service.yaml` names must exist, and a link target must answer GET without
 * placeholders.
 */
export const serviceTargets: ReferenceRule = ({ service, serviceSource, manifests, names }) => {
  const targets: Target[] = [
    ...service.links.flatMap(({ surface }, index) =>
      surface === undefined ? [] : [{ id: surface, pointer: ['links', index, 'surface'], followed: true }]
    ),
    ...Object.entries(service.suggestions).map(([name, id]) => ({
      id,
      pointer: ['suggestions', name],
      followed: true
    })),
    ...service.index.flatMap(({ surfaces }, index) =>
      surfaces.map((id, at) => ({ id, pointer: ['index', index, 'surfaces', at], followed: false }))
    )
  ]
  const byId = new Map(manifests.map(({ id, manifest }) => [id, manifest]))
  return targets.flatMap(({ id, pointer, followed }): Diagnostic[] => {
    const found = byId.get(id)
    if (found === undefined) {
      return names.surfaces.has(id)
        ? []
        : [reportUnknown(serviceSource, 'M409', pointer, 'surface', id, names.surfaces)]
    }
    if (!followed) return []
    if (!methodsOf(found).includes('GET'))
      return [
        report(serviceSource, 'M410', pointer, `\`${id}\` does not answer GET, so it cannot be a link target.`, {
          hint: 'Name a surface that answers GET.'
        })
      ]
    return placeholdersOf(found.path).length === 0
      ? []
      : [
          report(
            serviceSource,
            'M410',
            pointer,
            `A surface named here has no placeholder, but \`${id}\` answers \`${found.path}\`.`,
            { hint: 'Name another surface.' }
          )
        ]
  })
}
