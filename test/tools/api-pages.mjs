// `npm run api-pages`: pages of what the doors of the package export, from the types and comments of their code.
import { readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const project = resolve(import.meta.dirname, '../..')
const help = `npm run api-pages -- [--out FOLDER] [--doors FOLDER --tsconfig FILE]

Writes pages of HTML for pantry and each pantry/* (the files of bin/door) to dist/api-pages. It ends with 1, and names
the place, when a door or something that it exports has no comment, or when a link in a comment leads nowhere. Doors
of another folder need the tsconfig.json that includes them.
`
const { values: options } = parseArgs({
  options: {
    doors: { type: 'string', default: join(project, 'bin/door') },
    out: { type: 'string', default: join(project, 'dist/api-pages') },
    tsconfig: { type: 'string', default: join(project, 'tsconfig.package.json') },
    help: { type: 'boolean', default: false }
  }
})
if (options.help) {
  process.stdout.write(help)
  process.exit()
}

const { Application, ReflectionKind } = await import('typedoc').catch(() => {
  process.stderr.write('What writes the pages is not installed: npm ci --prefix test/tools\n')
  return process.exit(1)
})

const doors = resolve(options.doors)
const app = await Application.bootstrap({
  name: 'Pantry',
  entryPoints: readdirSync(doors)
    .filter(name => name.endsWith('.ts'))
    .map(name => join(doors, name)),
  tsconfig: resolve(options.tsconfig),
  readme: readdirSync(doors).includes('README.md') ? join(doors, 'README.md') : 'none',
  out: resolve(options.out),
  // `npm run typecheck` has said what is wrong with types.
  skipErrorChecking: true,
  // What packages of others export is described there, and a repository that lines could be linked to is not known.
  excludeExternals: true,
  disableSources: true,
  hideGenerator: true,
  logLevel: 'Warn',
  validation: { invalidLink: true, invalidPath: true, rewrittenLink: true, notDocumented: false, notExported: false }
})

const pages = await app.convert()
if (pages === undefined) process.exit(1)
for (const door of pages.getChildrenByKind(ReflectionKind.Module))
  door.name = door.name === 'index' ? 'pantry' : `pantry/${door.name}`
// Members explain themselves by their names, or have a comment where they do not.
for (const door of pages.getChildrenByKind(ReflectionKind.Module))
  for (const one of [door, ...(door.children ?? [])])
    if (!one.isReference() && !(one.signatures ?? [one]).some(described => described.hasComment()))
      app.logger.warn(`${one === door ? door.name : `${one.name} of ${door.name}`} has no comment.`)
app.validate(pages)
if (!app.logger.hasErrors() && !app.logger.hasWarnings()) {
  await app.generateOutputs(pages)
  process.stdout.write(`${pages.getChildrenByKind(ReflectionKind.Module).length} doors: ${relative('', options.out)}\n`)
}
process.exitCode = app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0
