import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, urlOf, type JsonObject, type JsonValue } from 'pantry/data'

type Upstream = Readonly<{ name: string; url?: string; commit?: string; committed_on?: string; version?: string }>

/** What git says of a folder; empty when it says nothing. */
function git(folder: string, ...args: readonly string[]): string {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    }).trim()
  } catch {
    return ''
  }
}

const nameIn = (address: string): string | undefined => /[^/:@]+\/[^/]+$/.exec(address)?.[0]

/** The address without what only the owner of the copy should know. */
function publicUrl(address: string): string | undefined {
  const url = address.startsWith('https:') ? urlOf(address) : undefined
  return url === undefined ? undefined : url.origin + url.pathname
}

/**
 * What the folder's copy of a repository says. Only objects and settings are read: other commands run programs that the
 * copy itself names.
 */
function repositoryOf(folder: string): Upstream | undefined {
  const address = git(folder, 'config', '--get', 'remote.origin.url').replace(/\.git$/, '')
  const url = publicUrl(address)
  const commit = git(folder, 'rev-parse', 'HEAD')
  if (address === '' && commit === '') return undefined
  const seconds = /^committer .* (\d+) [+-]\d{4}$/m.exec(
    commit === '' ? '' : git(folder, 'cat-file', 'commit', commit)
  )?.[1]
  return {
    name: nameIn(address) ?? '',
    ...(url === undefined ? {} : { url }),
    ...(commit === '' ? {} : { commit }),
    ...(seconds === undefined ? {} : { committed_on: new Date(Number(seconds) * 1000).toISOString().slice(0, 10) })
  }
}

/** The file with which npm describes a package, when the folder has one. */
function packageFile(folder: string): JsonObject {
  try {
    const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as JsonValue
    return isObject(described) ? described : {}
  } catch {
    return {}
  }
}

/** A word that a package says of itself: names and versions have no other characters (npm, semver.org §2). */
const wordOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && /^[\w@./+~-]{1,214}$/.test(value) ? value : undefined

/**
 * What a folder says of where it comes from and under which license: as a copy of a repository, or else as a package.
 */
export function upstreamOf(folder: string, id: string): Readonly<{ upstream: Upstream; license: string | undefined }> {
  const { name, version: given, license, repository } = packageFile(folder)
  const version = wordOf(given)
  const written = typeof license === 'string' && /^[A-Za-z0-9.+ ()-]{1,80}$/.test(license) ? license : undefined
  const copy = repositoryOf(folder)
  if (copy !== undefined) return { upstream: { ...copy, name: copy.name === '' ? id : copy.name }, license: written }
  const said = isObject(repository ?? null) ? (repository as JsonObject)['url'] : repository
  const address = (typeof said === 'string' ? said : '')
    .replace(/^git\+/, '')
    .replace(/^git:/, 'https:')
    .replace(/\.git$/, '')
  const url = publicUrl(address)
  return {
    upstream: {
      name: wordOf(name) ?? id,
      ...(url === undefined ? {} : { url }),
      ...(version === undefined ? {} : { version })
    },
    license: written
  }
}
