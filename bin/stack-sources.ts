import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeFolder } from './project.ts'

const isOwn = (file: string): boolean =>
  file.startsWith(`${codeFolder}${sep}`) || !file.includes(`${sep}node_modules${sep}`)

const readMap = (file: string): SourceMap | undefined =>
  isOwn(file) && existsSync(`${file}.map`)
    ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload)
    : undefined

/**
 * Makes stack traces name source files instead of bundles. A source map is read only when a stack trace needs it:
 * `--enable-source-maps` reads all maps at each start, which takes a twelfth of the time of `pantry validate`.
 */
export function nameSources(): void {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (file: string): SourceMap | undefined => {
    if (!maps.has(file)) maps.set(file, readMap(file))
    return maps.get(file)
  }
  const lineOf = (site: NodeJS.CallSite): string => {
    const [shown, name, line, column] = [
      (site as Readonly<{ toString: () => string }>).toString(),
      site.getFileName() ?? '',
      site.getLineNumber(),
      site.getColumnNumber()
    ]
    if (line === null || column === null || !name.startsWith('file:')) return shown
    const file = fileURLToPath(name)
    const found = mapOf(file)?.findEntry(line - 1, column - 1)
    if (found === undefined || !('originalSource' in found)) return shown
    return shown.replace(
      `${name}:${line}:${column}`,
      `${resolve(dirname(file), found.originalSource)}:${found.originalLine + 1}:${found.originalColumn + 1}`
    )
  }
  Error.prepareStackTrace = (error, sites) => [String(error), ...sites.map(site => `    at ${lineOf(site)}`)].join('\n')
}
