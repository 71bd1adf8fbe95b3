import type { Static } from 'typebox'
import { isObject } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { onceFor } from '../canonical/work.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggestion } from '../diagnostics/suggest.ts'
import { compileSchema } from '../schema/compile.ts'
import { report, type SourceFile } from '../source/report.ts'
import { closed, facets } from './manifest.ts'

const { access, carries_pii, requires_consent, license, sources } = facets

/** Rights that several surfaces have: who may call, what is personal, and under which license the answer is. */
export const Rights = Type.Object({ access, carries_pii, requires_consent, license, sources }, closed)

/** The members of a manifest that a profile of rights says instead. */
export const rightsMembers = Object.keys(Rights.properties)

/**
 * The profiles of rights in the `service.yaml` of a root, by name: `undefined` where what it says of them cannot be
 * read, which is reported there.
 */
type Profiles = Readonly<Record<string, Static<typeof Rights>>> | undefined

const readProfiles = ({ value }: SourceFile): { readonly profiles: Profiles } => {
  const said = isObject(value) ? value['rights'] : undefined
  const isRight = compileSchema(Type.Record(Type.String(), Rights))
  const given = said ?? {}
  return { profiles: isObject(value) && isRight(given).length === 0 ? (given as Profiles) : undefined }
}

const profilesIn = onceFor(readProfiles)

/** The profiles of a root; none where it has no `service.yaml`. */
export const profilesOf = (service: SourceFile | undefined): Profiles =>
  service === undefined ? {} : profilesIn(service).profiles

/** Returns a manifest whose diagnostics about rights point to `rights`, where it names their profile. */
export const located = (source: SourceFile): SourceFile => ({
  ...source,
  locate: (pointer, on) => source.locate(rightsMembers.includes(String(pointer[0])) ? ['rights'] : pointer, on)
})

type Said = Readonly<{ source: SourceFile; diagnostics: readonly Diagnostic[] }> | undefined

/**
 * A manifest with the rights of the profile that it names; one that names none as it is. M330: it says them itself as
 * well. M434: there is no such profile. `undefined` where the profiles cannot be read.
 */
export function withRights(source: SourceFile, profiles: Profiles): Said {
  const { value } = source
  const name = isObject(value) ? value['rights'] : undefined
  if (!isObject(value) || typeof name !== 'string') return { source, diagnostics: [] }
  if (profiles === undefined) return undefined
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile === undefined)
    return {
      source,
      diagnostics: [
        report(source, 'M434', ['rights'], `The \`service.yaml\` of this root has no profile of rights \`${name}\`.`, {
          hint: suggestion(name, Object.keys(profiles)) ?? 'Declare it under `rights:`, or write the rights here.'
        })
      ]
    }
  const twice = rightsMembers.filter(member => Object.hasOwn(value, member))
  return {
    source: { ...located(source), value: { ...value, ...profile } },
    diagnostics: twice.map(member =>
      report(source, 'M330', [member], `The profile \`${name}\` says \`${member}\` already.`, {
        on: 'key',
        hint: 'Delete it here, or name no profile and write all rights here.'
      })
    )
  }
}
