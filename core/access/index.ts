import type { AccessModule } from './access.ts'
import { admin } from './admin.ts'
import { agent } from './agent.ts'
import { everyone } from './public.ts'
import { user } from './user.ts'

const modules: Readonly<Record<string, AccessModule>> = { public: everyone, user, agent, admin }

/** Name of an access kind: who may call a surface. */
export type Access = string

export const accessKinds: readonly Access[] = Object.keys(modules)

/** Access kinds that a service declares, by name. */
type DeclaredAccess = Readonly<Record<string, AccessModule>>

/** Every access kind of a service, by name. Its module holds all that the framework knows of it. */
export const accessTable = (declared: DeclaredAccess): DeclaredAccess => ({ ...modules, ...declared })

/** Whether everyone may call: such answers are the same for all, and may be shared. A declared access kind always takes a credential. */
export const isOpen = (access: Access): boolean => Object.hasOwn(modules, access) && modules[access]?.credential === undefined
