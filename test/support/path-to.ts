import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../../bin/root-modules.ts'
import { packageFolder } from '../../bin/roots.ts'
import { compilePathTo, parseSegments, placeholdersOf, type PathTo, type Segment } from '../../core/manifest/paths.ts'

type Declared = Readonly<{
  route: Readonly<{ path: string; placeholders: readonly string[]; segments: readonly Segment[] }>
}>

/**
 * The paths that the manifests below a folder declare, by surface id. Nothing else of them is read, so it takes no
 * time.
 */
export function declared(folder: string): [string, Declared][] {
  const top = join(packageFolder, folder)
  return filesBelow(top, '.yaml').flatMap((file): [string, Declared][] => {
    const path = /^path: '?(\/[^\s']*)'?$/m.exec(readFileSync(file, 'utf8'))?.[1]
    const id = file.slice(top.length + 1, -'.yaml'.length)
    return path === undefined
      ? []
      : [[id, { route: { path, placeholders: placeholdersOf(path), segments: parseSegments(path) } }]]
  })
}

/** All routes of the service and of the framework's own root. */
export const routes: ReadonlyMap<string, Declared> = new Map([
  ...declared('core/standard/manifests'),
  ...declared('manifests')
])

/** `request.pathTo` for tests that call a handler without a registry. */
export const pathTo: PathTo = compilePathTo(routes)
