import { relative } from 'node:path'
import { defineCommand, rootOption, type RootOptions } from '../command.ts'
import { print } from '../io.ts'

export const build = defineCommand<[], RootOptions>({
  name: 'build',
  group: 'run',
  summary: 'Bundle the code of a service and compile what it declares, so that it starts sooner.',
  description: [
    'Writes `dist/bundle/` of each root: its TypeScript and JavaScript, elements too, in few files, and what its manifests and corpora say.',
    'What is there runs until it is built again or the folder is removed. Packages stay where they are installed; mistakes are left to `pantry validate`.'
  ],
  options: [rootOption()],
  examples: [
    ['pantry build', 'Before a deployment, and after an edit of code.'],
    ['pantry build --root ./library', 'Another root, into its own `dist/`.']
  ],
  exits: {
    1: 'The code cannot be bundled; what is wrong was printed.',
    3: 'A file cannot be written, or the package `esbuild` is not installed.'
  },
  async run(_args, { root }, io) {
    const { packageFolder, resolveRoots: rootsNamed } = await import('../project.ts')
    const { bundleFolder } = await import('../roots.ts')
    const { bundleRoots, compileRoots } = await import('../build/project.ts')
    // Roots that are installed packages are built when they are published.
    const folders = rootsNamed(root)
      .filter(one => one.package === undefined)
      .map(({ folder }) => folder)
    for (const folder of folders)
      await bundleRoots([folder], { packages: folder === packageFolder ? 'inside' : 'outside', withSources: false })
    await compileRoots(root, folders)
    for (const folder of folders) print(io.stdout, relative(process.cwd(), bundleFolder(folder)))
    return 0
  }
})
