import {
  anonymous,
  browserCookie,
  isOwnHost,
  session,
  sessionCookie,
  type AccessModule,
  type Caller,
  type Callers,
  type Credential
} from '../access/access.ts'
import {
  accessMeaning,
  accessOf,
  accessShown,
  accessTable,
  admits,
  admitsEveryone,
  type Access
} from '../access/index.ts'
import { RateLimited, SurfaceError, unavailable } from '../handler/errors.ts'
import { ensureDefined } from '../manifest/kind.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import { checkOrigin } from './read.ts'
import type { PlanRequest } from './request.ts'

/** Admits a request to a surface and adds its caller, or throws a SurfaceError. */
type Gate = (request: PlanRequest) => Promise<PlanRequest>

type Headers = PlanRequest['headers']
/** `keys` holds the `bearers`, and what is in the header fields of other keys. */
type Carried = Readonly<{
  sessions: readonly string[]
  keys: readonly string[]
  bearers: readonly string[]
  browser: string | undefined
}>

const listed = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat()

/** Returns the values of a cookie (RFC 6265 §4.2.1). */
const cookies = (headers: Headers, name: string): readonly string[] =>
  listed(headers['cookie'])
    .flatMap(line => line.split(';'))
    .flatMap(pair => {
      const at = pair.indexOf('=')
      return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
    })

/**
 * Returns a function that reads the credentials of a request from where the security schemes place them. Cookies count
 * only under a host name of the service; several browser cookies count as none.
 */
function compileCarried({ access, base_url: baseUrl }: Service): (headers: Headers) => Carried {
  const keyHeaders = Object.values(accessTable(access)).flatMap(({ credential }) => {
    const { in: place, name } = credential?.scheme ?? {}
    return place === 'header' && typeof name === 'string' ? [name.toLowerCase()] : []
  })
  const [sessionName, browserName] = [sessionCookie(baseUrl), browserCookie(baseUrl)]
  return headers => {
    const bearers = listed(headers['authorization']).flatMap(value => /^Bearer +(\S+)$/i.exec(value.trim())?.[1] ?? [])
    const isOwn = isOwnHost(headers['host'], baseUrl)
    const [browser, ...others] = isOwn ? cookies(headers, browserName) : []
    return {
      sessions: isOwn ? cookies(headers, sessionName) : [],
      keys: [...new Set([...bearers, ...keyHeaders.flatMap(name => listed(headers[name]))])],
      bearers,
      browser: others.length > 0 ? undefined : browser
    }
  }
}

/**
 * Returns a function that throws an Error for a caller that `callers.find` gives with a credential that no access kind
 * has. Such a caller could only be refused, wherever they ask.
 */
function compileKnown({ access }: Service): (caller: Caller) => Caller {
  const table = Object.entries(accessTable(access))
  const names = [...new Set(table.flatMap(([, { credential }]) => credential?.name ?? []))]
  const kindsOf = (name: string): string =>
    table.flatMap(([kind, { credential }]) => (credential?.name === name ? [`\`${kind}\``] : [])).join(', ')
  const known = names.map(name => `\`${name}\` (of ${kindsOf(name)})`).join(', ')
  return caller => {
    if (caller.credential !== undefined && names.includes(caller.credential)) return caller
    const wrong =
      caller.credential === undefined ? 'without `credential`' : `with the credential \`${caller.credential}\``
    throw new Error(
      `The service \`callers\` in surfaces/services: \`find\` gave a caller ${wrong}. It must be one of: ${known}.`
    )
  }
}

/** Returns the challenge of a credential. `why` says what is wrong with a bearer token that was sent (RFC 6750 §3). */
const challengeOf = ({ challenge }: Credential, why = ''): string =>
  `${challenge} realm="pantry"${challenge === 'Bearer' ? why : ''}`

/** Returns why callers with these credentials, or without any, stay unknown. */
function whyUnknown({ sessions, keys }: Carried): string {
  if (keys.length === 1) return 'The key is unknown, or no longer valid.'
  if (sessions.length === 1) return 'The session is unknown, or over. Please sign in again.'
  return 'This surface is not open to anonymous callers.'
}

/**
 * Counts a request that writes, where the service enforces its limit for callers without a credential, and throws a 429
 * beyond it. A request of a surface is a part of one that was counted.
 */
export function countAnonymous(request: PlanRequest): PlanRequest {
  const { method, depth, countWrite } = request
  if (countWrite === undefined || depth !== undefined || method === 'GET' || method === 'HEAD') return request
  const { isAllowed, ...rate } = countWrite()
  if (!isAllowed) throw new RateLimited(rate)
  return { ...request, rate }
}

/**
 * Compiles the access check of a surface, which runs before the input is read. It throws 401 without a valid credential
 * of an accepted kind (RFC 9110 §15.5.2); 403 for a missing role or scope (§15.5.4), a foreign host or a foreign page;
 * 429 for too many requests; 400 for a session and a key together; 503 if callers cannot be identified now. If everyone
 * may call, the caller is anonymous instead of 400 and 401, and of 503 for a GET or HEAD without personal data.
 */
export function compileGate(
  { access, scope, carriesPii }: Pick<Surface, 'access' | 'scope' | 'carriesPii'>,
  service: Service,
  callers: Callers<string> | undefined
): Gate {
  const table = accessOf(service, { scope })
  const modules = access.map((name: Access): AccessModule => ensureDefined(table[name], `access kind ${name}`))
  const credentials = [
    ...new Map(
      modules.flatMap(({ credential }) => (credential === undefined ? [] : [[credential.name, credential]]))
    ).values()
  ]
  const isFor = `This surface is for ${accessMeaning(access, table)}.`
  const knowsSessions = credentials.includes(session)
  const details = { access: accessShown(access) }
  const forEveryone = admitsEveryone(access)
  const carriedBy = compileCarried(service)
  const known = compileKnown(service)

  /**
   * Finds the caller by the credential; anonymous for no credential, an invalid one, or several. Throws 400 for a
   * session with a key, unless everyone may call.
   */
  async function find({ headers, now }: PlanRequest): Promise<Caller> {
    const { sessions, keys } = carriedBy(headers)
    if (sessions.length > 0 && keys.length > 0 && !forEveryone)
      throw new SurfaceError('INVALID_INPUT', 'A session and a key were sent together. Please send one of them.', {
        details: { in: 'header' }
      })
    const [one, ...more] = [...sessions.map(secret => ({ session: secret })), ...keys.map(key => ({ key }))]
    if (one === undefined || more.length > 0) return anonymous
    if (callers === undefined) throw unavailable('Callers cannot be told apart now.', 5, { subsystem: 'accounts' })
    const found = await callers.find(one, now)
    return found === undefined ? anonymous : known(found)
  }

  function check(caller: Caller, headers: Headers): void {
    const accepting = modules.filter(({ credential }) => credential?.name === caller.credential)
    if (caller.credential === undefined || accepting.length === 0) {
      if (forEveryone) return
      const carried = carriedBy(headers)
      const isUnknown = caller.credential === undefined
      const why = isUnknown && carried.bearers.length > 0 ? ', error="invalid_token"' : ''
      throw new SurfaceError('UNAUTHORIZED', isUnknown ? whyUnknown(carried) : isFor, {
        details,
        headers: { 'WWW-Authenticate': credentials.map(one => challengeOf(one, why)).join(', ') }
      })
    }
    if (admits(access, table, caller)) return
    const bearer = accepting.find(({ credential }) => credential?.challenge === 'Bearer')?.credential
    const scopes = accepting.flatMap(({ grant = [] }) => grant).join(' ')
    const headersFor =
      bearer === undefined
        ? {}
        : { 'WWW-Authenticate': challengeOf(bearer, `, error="insufficient_scope", scope="${scopes}"`) }
    throw new SurfaceError('FORBIDDEN', isFor, { details, headers: headersFor })
  }

  async function count(caller: Caller, request: PlanRequest): Promise<PlanRequest> {
    if (caller.credential === undefined) {
      const counted = countAnonymous(request)
      // The browser of a caller who is not signed in may have a cookie from an earlier sign-in.
      const browser = knowsSessions ? carriedBy(request.headers).browser : undefined
      return { ...counted, caller: browser === undefined ? caller : { ...caller, browser } }
    }
    if (callers === undefined) return { ...request, caller }
    const { isAllowed, ...rate } = await callers.count(caller, request.now)
    if (!isAllowed) throw new RateLimited(rate)
    return { ...request, caller, rate }
  }

  /** Counts a refused request of a caller with a credential, whose own limit the refusal then shows. */
  async function withRate(refusal: unknown, caller: Caller, request: PlanRequest): Promise<unknown> {
    if (caller.credential === undefined || !(refusal instanceof SurfaceError)) return refusal
    try {
      const { rate } = await count(caller, request)
      return Object.assign(refusal, { rate })
    } catch (error) {
      return error instanceof RateLimited ? error : refusal
    }
  }

  return async request => {
    // The asking surface has identified and counted the caller; here the caller is only checked.
    if (request.depth !== undefined) {
      check(request.caller, request.headers)
      return request
    }
    const { headers, method } = request
    const changes = method !== 'GET' && method !== 'HEAD'
    // While callers cannot be identified, everyone reads what an anonymous caller may read. A surface with personal
    // data fails instead: as anonymous callers, people would be told that they have no data.
    const orAnonymous = <T>(error: unknown, fallback: T): T => {
      const isUnavailable = error instanceof SurfaceError && error.code === 'SOURCE_UNAVAILABLE'
      if (forEveryone && !changes && !carriesPii && isUnavailable) return fallback
      throw error
    }
    if (changes && knowsSessions && !isOwnHost(headers['host'], service.base_url)) {
      throw new SurfaceError(
        'FORBIDDEN',
        'Under this host name nobody signs in: set it in `PANTRY_BASE_URL`, with https.',
        { details: { host: String(headers['host']) } }
      )
    }
    const caller = await find(request).catch((error: unknown) => orAnonymous(error, anonymous))
    try {
      check(caller, headers)
      // A browser sends the session cookie with every request, also from pages of other sites (CSRF).
      if (changes && caller.credential === session.name) checkOrigin(headers, service.base_url)
    } catch (refusal) {
      throw await withRate(refusal, caller, request)
    }
    return await count(caller, request).catch((error: unknown) => orAnonymous(error, { ...request, caller: anonymous }))
  }
}
