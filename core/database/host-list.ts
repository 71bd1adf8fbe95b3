import type { NamedServer } from './connection.ts'

/** The error for an invalid database URL. The message never contains the URL, because of its password. */
export class HostListError extends Error {
  override readonly name = 'HostListError'
}

/**
 * The values of libpq's `target_session_attrs` accepted for each role. They have no effect: the role of a server is
 * always queried.
 */
const attributes = {
  primary: ['any', 'read-write', 'primary', 'prefer-standby'],
  replica: ['any', 'read-only', 'standby', 'prefer-standby']
} as const

const form = /^postgres(?:ql)?:\/\//
const hostForm = /^(\[[0-9a-f:.]+\]|[^[\]:]+)(?::(\d{1,5}))?$/i

/**
 * Parses a URL with several servers, as libpq does (PostgreSQL manual, 34.1.1.3):
 * `postgres://user:password@one:5432,two:5433/database?…`. The name of each server is its host and port, whatever else
 * the URL contains. A URL with one host is used unchanged. Throws a HostListError.
 */
export function readHostList(url: string, role: keyof typeof attributes): readonly NamedServer[] {
  const start = form.exec(url)?.[0]
  if (start === undefined) throw new HostListError('must start with postgres:// or postgresql://')
  const [, authority = '', path = '', query = ''] = /^([^/?]*)([^?]*)\??(.*)$/s.exec(url.slice(start.length)) ?? []
  const account = authority.slice(0, authority.lastIndexOf('@') + 1)
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('target_session_attrs')
  if (wanted !== null && !(attributes[role] as readonly string[]).includes(wanted))
    throw new HostListError(`may have target_session_attrs ${attributes[role].join(', ')}, but has another`)
  for (const name of ['host', 'port'])
    if (parameters.get(name)?.includes(',') === true)
      throw new HostListError(
        `must name several servers before the path (one:5432,two:5433), not as the parameter \`${name}\``
      )
  const hosts = authority.slice(account.length).split(',')
  parameters.delete('target_session_attrs')
  const rest = `${path}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`
  if (hosts.length === 1) return [{ name: nameOf(authority.slice(account.length), parameters), target: { url } }]
  const named = hosts.map((host, at) => {
    const [, name, port = '5432'] = hostForm.exec(host) ?? []
    if (name === undefined || !(Number(port) > 0 && Number(port) < 65536))
      throw new HostListError(`must name each server as host or host:port, but number ${at + 1} is another`)
    return { name: `${name.toLowerCase()}:${port}`, target: { url: `${start}${account}${host}${rest}` } }
  })
  if (new Set(named.map(({ name }) => name)).size < named.length) throw new HostListError('must name each server once')
  return named
}

function nameOf(host: string, parameters: URLSearchParams): string {
  const [, name = parameters.get('host') ?? 'localhost', port = parameters.get('port') ?? '5432'] =
    hostForm.exec(host) ?? []
  return `${name.toLowerCase()}:${port}`
}
