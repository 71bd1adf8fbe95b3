import { accessTable } from '../../access/index.ts'
import { quotedList, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { formatsOf, formatTable } from '../../format/index.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import { methodsOf } from '../../manifest/normalise.ts'
import { placeholdersOf } from '../../manifest/paths.ts'
import { profilesOf } from '../../manifest/rights.ts'
import { report, type Pointer, type SourceFile } from '../../source/report.ts'
import { metaFields, occasionalMetaFields } from '../../vocabulary/words.ts'
import { checkName, type ReferenceRule } from '../draft.ts'

const namesIn = (table: object): ReadonlySet<string> => new Set(Object.keys(table))

/**
 * M405, M406, M407, M427: freshness keys, license tiers, source labels, access kinds and scopes must be words of the
 * framework or of a `service.yaml`. The words of a profile of rights are checked once, where the profile is declared.
 */
export const knownWords: ReferenceRule = function* ({ service, services, manifests, corpora }) {
  const [freshness, tiers, labels] = [namesIn(service.freshness), namesIn(service.tiers), namesIn(service.sources)]
  const kinds = namesIn(accessTable(service.access))

  function* checkRights(
    source: SourceFile,
    at: Pointer,
    { license, access, sources }: Pick<Manifest, 'license' | 'access' | 'sources'>
  ): Generator<Diagnostic> {
    yield* checkName(source, 'M406', [...at, 'license'], 'license tier', license, tiers)
    for (const [index, kind] of [access].flat().entries()) {
      const pointer = [...at, 'access', ...(Array.isArray(access) ? [index] : [])]
      yield* checkName(source, 'M427', pointer, 'access kind', kind, kinds)
    }
    for (const [index, label] of sources.entries())
      yield* checkName(source, 'M407', [...at, 'sources', index], 'source label', label, labels)
  }
  for (const source of services)
    for (const [name, rights] of Object.entries(profilesOf(source) ?? {}))
      yield* checkRights(source, ['rights', name], rights)
  for (const { source, manifest } of manifests) {
    yield* checkName(source, 'M405', ['freshness'], 'freshness key', manifest.freshness, freshness)
    if (manifest.rights === undefined) yield* checkRights(source, [], manifest)
    const { scope, access } = manifest
    if (scope === undefined) continue
    yield* checkName(source, 'M427', ['scope'], 'scope', scope, namesIn(service.scopes), 'Declare it under `scopes:`.')
    if (![access].flat().includes('agent'))
      yield report(source, 'M427', ['scope'], 'A scope is of a key, and this surface lets in no `agent`.', {
        hint: 'Write `access: agent`, or remove `scope`.'
      })
  }
  for (const { corpus, declaration } of corpora.values())
    yield* checkName(declaration, 'M406', ['license'], 'license tier', corpus.license, tiers)
}

/**
 * M311: the kind must offer each format of the manifest, whether the framework or `service.yaml` declares the format.
 */
export const offeredFormats: ReferenceRule = function* ({ service, manifests }) {
  const table = formatTable(service.formats)
  for (const file of manifests) {
    const { source, kind, manifest } = file
    const offered = new Set([...formatsOf(table, kind.holds), ...(kind.ownFormats?.(file) ?? [])])
    for (const [index, format] of (manifest.formats ?? []).entries())
      if (!offered.has(format))
        yield report(source, 'M311', ['formats', index], `Kind \`${kind.name}\` does not offer \`${format}\`.`, {
          hint: `It offers ${quotedList(offered)}.`
        })
  }
}

/** M319: a member that a service adds to `_meta` must not have the name of one of the framework's own members. */
export const envelopeMembers: ReferenceRule = function* ({ service, serviceSource }) {
  for (const name of [...metaFields, ...occasionalMetaFields])
    if (Object.hasOwn(service.envelope, name))
      yield report(serviceSource, 'M319', ['envelope', name], `Every \`_meta\` has a member \`${name}\` of its own.`, {
        on: 'key',
        hint: 'Choose another name.'
      })
}

/**
 * Name of the class of callers in which all requests of one person count together, with whichever credential they are
 * sent.
 */
const owner = 'person'

/**
 * M432: callers with a credential are refused by the service `callers` of a root, and those without one, when they
 * write, by the limit of the policy itself. Nobody is refused as anything else.
 */
export const enforcedLimits: ReferenceRule = function* ({ service, serviceSource }) {
  const table = accessTable(service.access)
  const callers = Object.entries(table).flatMap(([name, { credential }]) =>
    credential === undefined ? [name] : [name, credential.name, owner]
  )
  const known = [...new Set(callers)].sort()
  const { classes, limit, window_seconds: seconds } = service.rate_policy
  for (const [index, { caller, enforced, requests_per_minute: each }] of classes.entries()) {
    const at = ['rate_policy', 'classes', index]
    if (!enforced) continue
    if (!known.includes(caller)) {
      const hint = `Write \`enforced: false\`, or name one of: ${quotedList(known)}.`
      yield report(serviceSource, 'M432', [...at, 'enforced'], `Nobody is refused as \`${caller}\`.`, { hint })
    } else if (Object.hasOwn(table, caller) && table[caller]?.credential === undefined) {
      const held = (limit * 60) / seconds
      if (each === null || each === held) continue
      const message = `\`${caller}\` is refused by \`limit\` and \`window_seconds\`: ${held} requests a minute.`
      const hint = `Write ${Number.isInteger(held) ? held : '`null`'}, or change the two: headers and documents say both.`
      yield report(serviceSource, 'M432', [...at, 'requests_per_minute'], message, { hint })
    }
  }
}

/**
 * M409, M410: each surface that `service.yaml` names must exist; the surface of a link or a suggestion must answer GET
 * at a path without placeholders.
 */
export const serviceTargets: ReferenceRule = function* ({ service, serviceSource, manifests, names }) {
  const byId = new Map(manifests.map(({ id, manifest }) => [id, manifest]))
  const checkSurface = (id: string, at: Pointer): Iterable<Diagnostic> =>
    checkName(serviceSource, 'M409', at, 'surface', id, names.surfaces)
  function* checkLink(id: string, at: Pointer): Generator<Diagnostic> {
    yield* checkSurface(id, at)
    const manifest = byId.get(id)
    if (manifest === undefined) return
    if (!methodsOf(manifest).includes('GET')) {
      const message = `\`${id}\` does not answer GET, so it cannot be a link target.`
      yield report(serviceSource, 'M410', at, message, { hint: 'Name a surface that answers GET.' })
    } else if (placeholdersOf(manifest.path).length > 0) {
      const message = `A surface named here has no placeholder, but \`${id}\` answers \`${manifest.path}\`.`
      yield report(serviceSource, 'M410', at, message, { hint: 'Name another surface.' })
    }
  }
  for (const [index, { surface }] of service.links.entries())
    if (surface !== undefined) yield* checkLink(surface, ['links', index, 'surface'])
  for (const [name, id] of Object.entries(service.suggestions)) yield* checkLink(id, ['suggestions', name])
  for (const [index, { surfaces }] of service.index.entries())
    for (const [place, id] of surfaces.entries()) yield* checkSurface(id, ['index', index, 'surfaces', place])
}
