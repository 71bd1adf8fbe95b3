import { onceFor } from '../canonical/once-for.ts'
import type { AccessModule, Caller, Credential } from './access.ts'
import { admin } from './admin.ts'
import { agent } from './agent.ts'
import { everyone } from './public.ts'
import { user } from './user.ts'

const modules: Readonly<Record<string, AccessModule>> = { public: everyone, user, agent, admin }

/** Name of an access kind: who may call a surface. */
export type Access = string

export const accessKinds: readonly Access[] = Object.keys(modules)

/**
 * Access kinds that a service declares, by name. Their credential is one of their own, or that of an access kind of the
 * framework, by its name.
 */
type DeclaredAccess = Readonly<
  Record<string, Omit<AccessModule, 'credential'> & Readonly<{ credential: Credential | 'user' | 'agent' }>>
>

/** Every access kind of a service, by name. Its module holds all that the framework knows of it. */
export const accessTable = onceFor((declared: DeclaredAccess): Readonly<Record<string, AccessModule>> => ({
  ...modules,
  ...Object.fromEntries(
    Object.entries(declared).map(([name, { credential, ...module }]): [string, AccessModule] => {
      const presented = typeof credential === 'string' ? modules[credential]?.credential : credential
      return [name, { ...module, ...(presented === undefined ? {} : { credential: presented }) }]
    })
  )
}))

/** A declared access kind always takes a credential. */
const takesNone = (access: Access): boolean =>
  Object.hasOwn(modules, access) && modules[access]?.credential === undefined

/** Whether everyone may call, and nobody is told apart: such answers are the same for all, and may be shared. */
export const isOpen = (access: readonly Access[]): boolean => access.every(takesNone)

/** Whether everyone may call. Callers with a credential may still be told more. */
export const admitsEveryone = (access: readonly Access[]): boolean => access.some(takesNone)

/** How documents name who may call: the one kind, or the kinds. */
export const accessShown = (access: readonly Access[]): Access | Access[] =>
  access.length === 1 && access[0] !== undefined ? access[0] : [...access]

/** The same in a sentence. */
export const accessText = (access: readonly Access[]): string => access.join(' or ')

type Table = ReturnType<typeof accessTable>

/** Who may call, in words. */
export const accessMeaning = (access: readonly Access[], table: Table): string =>
  access.map(name => table[name]?.meaning ?? name).join(', or ')

/**
 * Whether a surface is for a caller: for everyone, or for whoever has that credential, with the role or scope that it
 * takes.
 */
export const admits = (access: readonly Access[], table: Table, caller: Caller): boolean =>
  access.some(name => {
    const { credential, grant } = table[name] ?? {}
    return (
      takesNone(name) ||
      (credential !== undefined &&
        credential.name === caller.credential &&
        (grant === undefined || caller.grants.includes(grant)))
    )
  })
