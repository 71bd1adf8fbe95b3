import { memoize } from '../canonical/work.ts'
import { english, fill, type Language } from '../vocabulary/language.ts'
import { session, sessionCookie, type AccessModule, type Caller, type Credential } from './access.ts'

const everyone: AccessModule = { meaning: 'everyone' }

const user: AccessModule = { meaning: 'a person who is signed in', credential: session }

export const agent: AccessModule = {
  meaning: 'an agent with a key',
  credential: {
    name: 'bearer',
    challenge: 'Bearer',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description: 'Key of an agent, given out by a person who is signed in (RFC 6750 §2.1). Never in a URL.'
    }
  }
}

const admin: AccessModule = { meaning: 'a signed-in person with the role `admin`', credential: session, grant: 'admin' }

const modules: Readonly<Record<string, AccessModule>> = { public: everyone, user, agent, admin }

export type Access = string

export const accessKinds: readonly Access[] = Object.keys(modules)

/**
 * The access kinds that a service declares, by name. `user` as `credential` means the credential of the access kind of
 * that name.
 */
type DeclaredAccess = Readonly<
  Record<string, Omit<AccessModule, 'credential'> & Readonly<{ credential: Credential | 'user' }>>
>

export const accessTable = memoize((declared: DeclaredAccess): Readonly<Record<string, AccessModule>> => ({
  ...modules,
  ...Object.fromEntries(
    Object.entries(declared).map(([name, { credential, ...module }]): [string, AccessModule] => {
      const presented = typeof credential === 'string' ? modules[credential]?.credential : credential
      return [name, { ...module, ...(presented === undefined ? {} : { credential: presented }) }]
    })
  )
}))

type Table = ReturnType<typeof accessTable>

/** The meaning of `agent` on a surface with a scope. */
export const agentWithScope = 'an agent whose key has the scope `{grant}`'

/** Returns the access kinds as a surface asks for them: with a scope, `agent` is for keys that have it. */
export const accessOf = (
  { access }: Readonly<{ access: DeclaredAccess }>,
  { scope }: Readonly<{ scope?: string | undefined }>
): Table =>
  scope === undefined
    ? accessTable(access)
    : { ...accessTable(access), agent: { ...agent, meaning: agentWithScope, grant: scope } }

/** Tells whether the callers of an access kind have a key with scopes. */
export const hasScopes = ({ credential }: AccessModule): boolean => credential?.name === agent.credential?.name

/** Tells whether an access kind needs no credential, as only kinds of the framework can. */
const takesNone = (access: Access): boolean =>
  Object.hasOwn(modules, access) && modules[access]?.credential === undefined

/**
 * Tells whether a surface with these access kinds does not identify its callers: its answers are the same for everyone,
 * and shared caches may store them.
 */
export const isOpen = (access: readonly Access[]): boolean => access.every(takesNone)

/** Tells whether everyone may call a surface with these access kinds; callers with a credential may still get more. */
export const admitsEveryone = (access: readonly Access[]): boolean => access.some(takesNone)

/** Returns the header with which a request carries a key of an access kind; `undefined` if no key is of that kind. */
export function keyHeader(
  { credential }: AccessModule,
  key: string
): readonly [name: string, value: string] | undefined {
  const { type, scheme, in: place, name } = credential?.scheme ?? {}
  if (type === 'http' && scheme === 'bearer') return ['Authorization', `Bearer ${key}`]
  return place === 'header' && typeof name === 'string' ? [name, key] : undefined
}

/** Returns the header with which a request carries a key, or over http the secret of a session. */
export const secretHeader = (
  module: AccessModule,
  secret: string,
  baseUrl: string
): readonly [name: string, value: string] | undefined =>
  module.credential?.name === session.name
    ? ['Cookie', `${sessionCookie(baseUrl)}=${secret}`]
    : keyHeader(module, secret)

export const accessShown = (access: readonly Access[]): Access | Access[] =>
  access.length === 1 && access[0] !== undefined ? access[0] : [...access]

export const accessText = (access: readonly Access[]): string => access.join(' or ')

/** Returns the scopes of keys of agents that a service declares. */
export const scopesOf = ({ scopes }: Readonly<{ scopes: object }>): readonly string[] => Object.keys(scopes)

/** Returns who may call a surface with these access kinds, in a language. */
export const accessMeaning = (access: readonly Access[], table: Table, { textOf }: Language = english): string =>
  access
    .map(name => {
      const { meaning = name, grant = '' } = table[name] ?? {}
      return fill(textOf(meaning), { grant })
    })
    .reduce((one, other) => fill(textOf('{one}, or {other}'), { one, other }))

/**
 * Tells whether one of the access kinds needs no credential, or the caller has its credential and the role or scope
 * that it requires.
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
