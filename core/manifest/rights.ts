import type { Static } from 'typebox'
import { isObject } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { memoize } from '../canonical/work.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { suggestionHint } from '../diagnostics/suggest.ts'
import { compileSchema } from '../schema/compile.ts'
import { report, type SourceFile } from '../source/report.ts'
import { closed, manifestFields } from './manifest.ts'

const { access, carries_pii, requires_consent, license, sources } = manifestFields

/**
 * Schema of rights: who may call, whether answers hold data about persons, whether a person must have agreed, and the
 * license and the sources of the answer.
 */
export const Rights = Type.Object({ access, carries_pii, requires_consent, license, sources }, closed)

/** The fields of a manifest that a profile of rights replaces. */
export const rightsMembers = Object.keys(Rights.properties)

/**
 * The profiles of rights in a `service.yaml`, by name; `undefined` if they are invalid, which the check of that file
 * reports.
 */
type Profiles = Readonly<Record<string, Static<typeof Rights>>> | undefined

const ProfilesSchema = Type.Record(Type.String(), Rights)

const readProfiles = memoize(({ value }: SourceFile): { readonly profiles: Profiles } => {
  const rights = isObject(value) ? (value['rights'] ?? {}) : undefined
  const isValid = rights !== undefined && compileSchema(ProfilesSchema)(rights).length === 0
  return { profiles: isValid ? (rights as Profiles) : undefined }
})

/** Returns the profiles of rights of a root; an empty object if the root has no `service.yaml`. */
export const profilesOf = (service: SourceFile | undefined): Profiles =>
  service === undefined ? {} : readProfiles(service).profiles

/**
 * Returns a manifest whose diagnostics about a field of rights are located at the field `rights`, which names the
 * profile.
 */
export const located = (source: SourceFile): SourceFile => ({
  ...source,
  locate: (pointer, on) => source.locate(rightsMembers.includes(String(pointer[0])) ? ['rights'] : pointer, on)
})

type WithRights = Readonly<{ source: SourceFile; diagnostics: readonly Diagnostic[] }>

/**
 * Returns a manifest with the rights of the profile that it names; `undefined` if the profiles cannot be read. Reports
 * M330 if the manifest also gives fields of rights, and M434 if there is no such profile.
 */
export function withRights(source: SourceFile, profiles: Profiles): WithRights | undefined {
  const { value } = source
  const name = isObject(value) ? value['rights'] : undefined
  if (!isObject(value) || typeof name !== 'string') return { source, diagnostics: [] }
  if (profiles === undefined) return undefined
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile === undefined) {
    const message = `The \`service.yaml\` of this root has no profile of rights \`${name}\`.`
    const hint = suggestionHint(name, Object.keys(profiles)) ?? 'Declare it under `rights:`, or write the rights here.'
    return { source, diagnostics: [report(source, 'M434', ['rights'], message, { hint })] }
  }
  const repeated = rightsMembers.filter(member => Object.hasOwn(value, member))
  return {
    source: { ...located(source), value: { ...value, ...profile } },
    diagnostics: repeated.map(member =>
      report(source, 'M330', [member], `The profile \`${name}\` says \`${member}\` already.`, {
        on: 'key',
        hint: 'Delete it here, or name no profile and write all rights here.'
      })
    )
  }
}
