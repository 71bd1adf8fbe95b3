import type { AccessModule, Credential } from './access.ts'
import { admin } from './admin.ts'
import { agent } from './agent.ts'
import { everyone } from './public.ts'
import { user } from './user.ts'
import { wholesaleKey } from './wholesale-key.ts'

const modules = { public: everyone, user, agent, admin, 'wholesale-key': wholesaleKey }

/** Who may call a surface. */
export type Access = keyof typeof modules

/** Every access kind, by name. Its module holds all that the framework knows of it. */
export const accessModules: Readonly<Record<Access, AccessModule>> = modules

export const accessKinds = Object.keys(modules) as readonly Access[]

/** What a caller presents for an access kind; `undefined` where everyone may call. */
export const credentialOf = (access: Access): Credential | undefined => accessModules[access].credential

/** Whether everyone may call: such answers are the same for all, and may be shared. */
export const isOpen = (access: Access): boolean => credentialOf(access) === undefined
