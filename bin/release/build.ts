import { join, relative } from 'node:path'
import { bundleFramework } from '../build/framework.ts'
import { bundleRoot } from '../build/root.ts'
import type { Bundling } from '../build/bundle.ts'
import { packageFolder } from '../project.ts'

/** Makes what `npm start` runs, in `dist/`: bundles of the framework, of its own root and of the service. */

const dist = join(packageFolder, 'dist')
const programs = ['pack', 'pack-client', 'release', 'write-changelog'].map(name => `release/${name}.ts`)
const how: Bundling = { packages: 'inside', withSources: false }

await Promise.all([
  bundleFramework(join(dist, 'bin'), how, programs),
  ...[packageFolder, join(packageFolder, 'core', 'standard')].map(root =>
    bundleRoot(root, join(dist, relative(packageFolder, root), 'bundle'), how)
  )
])
