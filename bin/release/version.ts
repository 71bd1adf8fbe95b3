import { endOf } from '../../core/diagnostics/deprecations.ts'
import { newestFirst, numbersOf, versionsOf, type ChangelogEntry } from './changelog.ts'

/**
 * Returns what is wrong with the version of a release, by `.github/VERSIONING.md`: it is the newest of the changelog,
 * the lockfile has it, and only a minor version (a major one from 1 on) breaks.
 */
export function wrongVersion(
  version: string,
  changes: readonly ChangelogEntry[],
  lockedVersion: string
): string | undefined {
  const [newest = 'none', previous] = versionsOf(changes)
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `package.json says ${version}, which is not a version such as 1.2.3.`
  if (newest !== version)
    return `package.json says ${version}, but the newest version in corpora/changelog is ${newest}.`
  if (lockedVersion !== version) return `package.json says ${version}, but package-lock.json says ${lockedVersion}.`
  if (previous === undefined) return undefined
  const [major = 0, minor = 0] = numbersOf(version)
  const [oldMajor = 0, oldMinor = 0] = numbersOf(previous)
  const mayBreak = major > oldMajor || (major === 0 && minor > oldMinor)
  const breaking = changes.find(one => one.version === version && one.impact === 'breaking')
  return mayBreak || breaking === undefined
    ? undefined
    : `${version} may not break what ${previous} promised, but a change is breaking: ${breaking.summary}`
}

/** Returns why a release is not new beside the tags there are, such as `v1.2.3`. */
export function notNew(version: string, tags: readonly string[]): string | undefined {
  const released = tags.filter(tag => /^v\d+\.\d+\.\d+$/.test(tag)).map(tag => tag.slice(1))
  if (released.includes(version)) return `The tag v${version} exists already.`
  const newest = [...released, version].sort(newestFirst)[0] ?? version
  return newest === version ? undefined : `The tag v${newest} is of a newer version than ${version}.`
}

/** Returns what should have ended with this version or one before, although it is still there. */
export function overdue(version: string, ends: Readonly<Record<string, string>> = endOf): string | undefined {
  const late = Object.entries(ends).find(([, end]) => [version, end].sort(newestFirst)[0] === version)
  return late === undefined
    ? undefined
    : `What ${late[0]} warns of ends with ${late[1]}: make it an error and take it out of core/diagnostics/deprecations.ts.`
}
