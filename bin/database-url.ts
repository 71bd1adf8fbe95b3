import { urlOf } from '../core/canonical/url.ts'
import { tlsProblem } from '../core/database/encryption.ts'
import { didYouMean } from '../core/diagnostics/suggest.ts'

/** Parameters of libpq (PostgreSQL manual, 34.1.2), and those that only `pg` reads. */
const parameters = `host hostaddr port dbname user password passfile require_auth channel_binding connect_timeout
  client_encoding options application_name fallback_application_name keepalives keepalives_idle keepalives_interval
  keepalives_count tcp_user_timeout replication gssencmode sslmode requiressl sslnegotiation sslcompression sslcert
  sslkey sslpassword sslcertmode sslrootcert sslcrl sslcrldir sslsni requirepeer ssl_min_protocol_version
  ssl_max_protocol_version min_protocol_version max_protocol_version krbsrvname gsslib gssdelegation scram_client_key
  scram_server_key service target_session_attrs load_balance_hosts
  ssl database statement_timeout lock_timeout idle_in_transaction_session_timeout query_timeout uselibpqcompat`.split(
  /\s+/
)

/**
 * What to write instead of parameters of libpq that `pg` does not follow, although they decide which database is
 * reached, or how safely. `idle`: values that ask for nothing.
 */
const unfollowed: Readonly<Record<string, Readonly<{ instead: string; idle?: RegExp }>>> = {
  dbname: { instead: 'Write the name of the database as the path' },
  database: { instead: 'Write the name of the database as the path' },
  hostaddr: { instead: 'Write the address as the host' },
  passfile: { instead: 'Write the password into the URL' },
  service: { instead: 'Write what the service file says into the URL' },
  replication: { instead: 'Leave it out', idle: /^(?:false|off|no|0)$/ },
  target_session_attrs: { instead: 'Name a server that can be written to, and leave it out', idle: /^any$/ },
  requiressl: { instead: 'Write `sslmode=require`' },
  sslcrldir: { instead: 'Write the lists into one file, and name it with `sslcrl`' },
  sslcertmode: { instead: 'Leave it out: a certificate that `sslcert` names is shown', idle: /^(?:allow|disable)$/ },
  gssencmode: { instead: 'Encrypt by TLS with `sslmode`, and leave it out', idle: /^(?:prefer|disable)$/ },
  channel_binding: {
    instead: 'Write `sslmode=verify-full`, which lets nobody between the two either, and leave it out',
    idle: /^(?:prefer|disable)$/
  },
  require_auth: { instead: 'Write `sslmode=verify-full`, so that no other server gets the password, and leave it out' },
  requirepeer: { instead: 'Leave it out, and keep the folder of the socket to its owner' },
  scram_client_key: { instead: 'Write the password into the URL' },
  scram_server_key: { instead: 'Write the password into the URL' },
  min_protocol_version: { instead: 'Leave it out' },
  max_protocol_version: { instead: 'Leave it out' }
}

/**
 * Tells whether a `#`, `/`, `?` or `@` in the user or the password seems to end them. An `@` may be in a value of the
 * query, such as a user.
 */
function isUnencoded(url: string, authority: string, query: URLSearchParams): boolean {
  const path = url.slice(url.indexOf('://') + 3 + authority.length).replace(/\?[^]*/, '')
  const names = [...query.keys()]
  return (
    url.includes('#') ||
    authority.split('@').length > 2 ||
    path.includes('@') ||
    names.some(name => name.includes('@')) ||
    (!authority.includes('@') &&
      names.some(name => !parameters.includes(name)) &&
      [...query.values()].some(value => value.includes('@')))
  )
}

/** Returns what is wrong with the parameters of a URL. Only a name that is close to a known one is shown. */
function wrongParameter(query: URLSearchParams): string | undefined {
  const unknown = [...query.keys()].find(name => !parameters.includes(name))
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, parameters)
    return hint === undefined
      ? 'has an unknown parameter after `?`. Known are those of libpq, such as `sslmode` and `application_name`'
      : `has an unknown parameter \`${unknown}\`. ${hint.replace('?', '')}, as libpq has it`
  }
  const lost = [...query].find(([name, value]) => unfollowed[name] !== undefined && !unfollowed[name].idle?.test(value))
  if (lost !== undefined)
    return `has the parameter \`${lost[0]}\`, which cannot be followed here. ${unfollowed[lost[0]]?.instead ?? ''}`
  return tlsProblem(query)
}

/**
 * Returns what is wrong with the URL of a database as the end of a sentence, without the URL and so without its
 * password. libpq would take several hosts (PostgreSQL manual, 34.1.1.3); `pg` takes one.
 */
export function wrongUrl(url: string): string | undefined {
  const authority = /^postgres(?:ql)?:\/\/([^/?#]*)/.exec(url)?.[1]
  if (authority === undefined) return 'must start with postgres:// or postgresql://'
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
  if (isUnencoded(url, authority, query))
    return 'has a `#`, `/`, `?` or `@` that must be percent-encoded, such as in the password: `%23`, `%2F`, `%3F`, `%40`'
  const named = ['host', 'hostaddr', 'port'].map(name => query.getAll(name))
  if (
    named.some(all => all.length > 1) ||
    [authority.slice(authority.lastIndexOf('@') + 1), ...named.flat()].some(one => /,|%2c/i.test(one))
  )
    return 'must name one server, but names several. Put HAProxy, PgBouncer or another router in front of them, and name its address'
  // `pg` takes a socket folder as the parameter `host`, and no host before the path then.
  return urlOf(url.replace('@/', '@localhost/')) === undefined ? 'is not a valid URL' : wrongParameter(query)
}
