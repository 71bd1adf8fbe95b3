import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleFramework, type Bundling } from '../build/bundle.ts'
import type * as Project from '../build/project.ts'
import { optionalRoots, packageFolder } from '../project.ts'

/**
 * Builds what `npm start` runs, in `dist/`: bundles of the framework, its standard root and the service, and their
 * compiled registries.
 */

const dist = join(packageFolder, 'dist')
const programs = ['pack', 'release', 'write-changelog'].map(name => `release/${name}.ts`)
const how: Bundling = { packages: 'inside', withSources: false }

await bundleFramework(join(dist, 'bin'), how, programs)
// The bundled code does the rest, because only the code that made a compiled registry uses it.
const { bundleRoots, compileRoots } = (await import(
  pathToFileURL(join(dist, 'bin', 'build', 'project.js')).href
)) as typeof Project
const compiled = [join(packageFolder, 'core', 'standard'), packageFolder]
await bundleRoots([...compiled, ...optionalRoots.values()], how)
await compileRoots([packageFolder], compiled)
