// `npm run docs`: one site of what docs/README.md links, the decisions, and what the doors of the package export.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const help = `npm run docs -- [--out FOLDER] [--project FOLDER]

Writes a site that can be searched to dist/site: docs/README.md is its front page, and each heading there a group of the
documents that it links. The decisions follow, and pages for pantry and each pantry/* (the files of bin/door). It ends
with 1, and names the place, when a door or something that it exports has no comment, or a link leads nowhere.
`
const { values: options } = parseArgs({
  options: {
    out: { type: 'string' },
    project: { type: 'string', default: resolve(import.meta.dirname, '../..') },
    help: { type: 'boolean', default: false }
  }
})
if (options.help) {
  process.stdout.write(help)
  process.exit()
}

const { Application, Comment, CommentTag, Converter, PageEvent, ReflectionKind } = await import('typedoc').catch(() => {
  process.stderr.write('What writes the pages is not installed: npm ci --prefix test/tools\n')
  return process.exit(1)
})

const project = resolve(options.project)
const out = resolve(options.out ?? join(project, 'dist/site'))
const doors = join(project, 'bin/door')
const front = join(project, 'docs/README.md')
const decisions = join(project, 'docs/decisions')

/** What the front page links below each heading, by path: the group of a document, and its name there. */
const listed = new Map(
  readFileSync(front, 'utf8')
    .split(/^## /m)
    .slice(1)
    .flatMap(section => {
      const [group] = section.split('\n', 1)
      return [...section.matchAll(/\[([^\]]+)\]\((?!https?:)([^)#]+\.md)\)/g)].map(([, name, path]) => [
        join(dirname(front), path),
        { group, name }
      ])
    })
)
const groups = new Set([...listed.values()].map(({ group }) => group))

const app = await Application.bootstrap({
  name: 'Pantry',
  entryPoints: readdirSync(doors)
    .filter(name => name.endsWith('.ts'))
    .map(name => join(doors, name)),
  projectDocuments: [...listed.keys(), ...(existsSync(decisions) ? [join(decisions, '*.md')] : [])],
  tsconfig: join(project, 'tsconfig.package.json'),
  readme: front,
  out,
  customCss: join(import.meta.dirname, 'docs.css'),
  favicon: resolve(import.meta.dirname, '../../core/standard/surfaces/assets/icon.svg'),
  // Headings have the anchors that code hosts give them.
  sluggerConfiguration: { lowercase: true },
  searchInDocuments: true,
  navigation: { includeGroups: true },
  groupOrder: [...groups],
  highlightLanguages: ['bash', 'diff', 'html', 'javascript', 'json', 'tsx', 'typescript', 'yaml'],
  // `npm run typecheck` has said what is wrong with types.
  skipErrorChecking: true,
  // What packages of others export is described there, and a repository that lines could be linked to is not known.
  excludeExternals: true,
  disableSources: true,
  hideGenerator: true,
  logLevel: 'Warn',
  validation: { invalidLink: true, invalidPath: true, rewrittenLink: true, notDocumented: false, notExported: false }
})

app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project: site }) => {
  for (const document of site.documents ?? []) {
    const [, title] = /^# (.*)/.exec(document.content.map(({ text }) => text).join('')) ?? []
    const { group, name } = listed.get(site.files.getReflectionPath(document)) ?? { group: 'Decisions', name: title }
    document.name = name.replaceAll('`', '')
    document.frontmatter.group = group
  }
  // The front page has the name of the site above its text.
  const [first] = site.readme
  first.text = first.text.replace(/^# .*/, '')
  for (const door of site.getChildrenByKind(ReflectionKind.Module)) {
    door.name = door.name === 'index' ? 'pantry' : `pantry/${door.name}`
    // Members explain themselves by their names, or have a comment where they do not.
    for (const one of [door, ...(door.children ?? [])])
      if (!one.isReference() && !(one.signatures ?? [one]).some(described => described.hasComment()))
        app.logger.warn(`${one === door ? door.name : `${one.name} of ${door.name}`} has no comment.`)
    door.comment ??= new Comment()
    door.comment.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: 'Reference' }]))
  }
})

// What scrolls can be reached by keyboard, and what is the page itself is found by programs that read it out.
app.renderer.on(PageEvent.END, page => {
  page.contents = page.contents
    .replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">')
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace('<div class="col-sidebar">', '<div class="col-sidebar" role="complementary">')
})

const site = await app.convert()
if (site === undefined) process.exit(1)
// A browser shows what is plain text, and would only save a file of code.
const asText = name => name?.replace(/\.(?!json$|svg$)\w+$/, '$&.txt')
const { files } = site
const [nameOf, allNames] = [files.getName.bind(files), files.getNameToAbsoluteMap.bind(files)]
files.getName = id => asText(nameOf(id))
files.getNameToAbsoluteMap = () => new Map([...allNames()].map(([name, path]) => [asText(name), path]))
app.validate(site)
const isFaulty = () => app.logger.hasErrors() || app.logger.hasWarnings()
if (!isFaulty()) await app.generateOutputs(site)
if (!isFaulty())
  process.stdout.write(
    `${site.documents?.length ?? 0} documents, ${site.getChildrenByKind(ReflectionKind.Module).length} doors: ${relative('', out)}\n`
  )
process.exitCode = isFaulty() ? 1 : 0
