import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Corpus, JsonObject, JsonValue } from 'pantry/data'
import { projectFolder } from '../common/project-folder.ts'

/** A Markdown file. */
type ProjectText = Readonly<{ path: string; text: string }>

/** Folders whose own Markdown files are read; their subfolders are not searched. */
const folders = ['.', '.github', 'docs', 'core', 'core/standard', 'manifests', 'corpora', 'surfaces', 'migrations']

/** Reads the Markdown files of the project, sorted by path; an installation without any has an empty list. */
export function readProject(folder = projectFolder(import.meta.url)): readonly ProjectText[] {
  return folders
    .filter(name => existsSync(join(folder, name)))
    .flatMap(name =>
      readdirSync(join(folder, name), { withFileTypes: true })
        .filter(file => file.isFile() && file.name.endsWith('.md'))
        .map(file => ({
          path: name === '.' ? file.name : `${name}/${file.name}`,
          text: readFileSync(join(folder, name, file.name), 'utf8')
        }))
    )
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

export const nodeKinds = ['document', 'corpus', 'surface'] as const
export const edgeKinds = ['references', 'sister', 'recurses_to'] as const

/** A document, a corpus, or a surface that a text names by its path. */
type ProjectNode = Readonly<{
  slug: string
  kind: (typeof nodeKinds)[number]
  title: string
  path_in_repo: string | null
  path: string | null
  byte_count: number
  line_count: number
  entry_count: number | null
  pull_excerpt: string
}>
export type Edge = Readonly<{ from: string; to: string; kind: (typeof edgeKinds)[number]; mentions: number }>
type SurfaceName = Readonly<{ id: string; path: string; description: string }>

type Text = Readonly<{ node: ProjectNode; text: string }>

const noFacts = {
  path_in_repo: null,
  path: null,
  byte_count: 0,
  line_count: 0,
  entry_count: null,
  pull_excerpt: ''
} as const

const excerptLength = 200

const excerpt = (text: string): string =>
  text.length <= excerptLength ? text : `${text.slice(0, excerptLength - 1).replace(/\s+\S*$/, '')}…`

function documentText({ path, text }: ProjectText): Text {
  const title = /^# +(.+)$/m.exec(text)?.[1] ?? path
  const paragraph = text.split(/\n{2,}/).find(part => /^[A-Z`*[]/.test(part) && !part.startsWith('    ')) ?? ''
  return {
    node: {
      slug: path,
      kind: 'document',
      title,
      ...noFacts,
      path_in_repo: path,
      byte_count: Buffer.byteLength(text),
      line_count: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
      pull_excerpt: excerpt(paragraph.replace(/\s+/g, ' '))
    },
    text
  }
}

/** Returns all texts within a value, one per line. */
const textsOf = (value: JsonValue): string =>
  typeof value === 'string'
    ? `${value}\n`
    : typeof value === 'object' && value !== null
      ? Object.values(value as JsonObject)
          .map(textsOf)
          .join('')
      : ''

function corpusText(corpus: Corpus): Text {
  const text = corpus.entries.map(textsOf).join('')
  const { description } = corpus.schema
  return {
    node: {
      slug: `corpora/${corpus.name}`,
      kind: 'corpus',
      title: corpus.title,
      ...noFacts,
      path_in_repo: `corpora/${corpus.name}/`,
      byte_count: Buffer.byteLength(text),
      line_count: text.split('\n').length - 1,
      entry_count: corpus.entries.length,
      pull_excerpt: excerpt(typeof description === 'string' ? description.trim() : '')
    },
    text
  }
}

const surfaceNode = ({ id, path, description }: SurfaceName): ProjectNode => ({
  slug: `surface:${id}`,
  kind: 'surface',
  title: description,
  ...noFacts,
  path
})

/** Returns the corpora that a schema names (`x-corpus`). */
const referredTo = (schema: JsonValue): readonly string[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : Object.entries(schema).flatMap(([name, value]) =>
        name === 'x-corpus' && typeof value === 'string' ? [`corpora/${value}`] : referredTo(value)
      )

const pathForm = /\/(?:api|data|rels|schemas|play|\.well-known)\/[\w.{}~%/-]*[\w}]|\/(?:llms|robots)\.txt/g
const fileForm = /[\w.-]+(?:\/[\w.-]+)*/g

/** Finds the surface for a concrete path: the same path, or one that matches with placeholders. */
function surfaceFinder(surfaces: readonly SurfaceName[]): (path: string) => SurfaceName | undefined {
  const exact = new Map(surfaces.map(surface => [surface.path, surface]))
  const bySize = new Map<number, SurfaceName[]>()
  for (const surface of surfaces.filter(({ path }) => path.includes('{'))) {
    const size = surface.path.split('/').length
    bySize.set(size, [...(bySize.get(size) ?? []), surface])
  }
  return path => {
    const parts = path.split('/')
    return (
      exact.get(path) ??
      exact.get(`${path}/`) ??
      bySize
        .get(parts.length)
        ?.find(surface => surface.path.split('/').every((part, index) => part.startsWith('{') || part === parts[index]))
    )
  }
}

/**
 * Returns the graph of which document or corpus mentions which document, corpus or surface. An edge counts the
 * mentions; two that mention each other get one `sister` edge.
 */
export function joinFiles(
  texts: readonly ProjectText[],
  corpora: readonly Corpus[],
  surfaces: readonly SurfaceName[]
): { nodes: readonly ProjectNode[]; edges: readonly Edge[] } {
  const sources = [...texts.map(documentText), ...corpora.map(corpusText)]
  const find = surfaceFinder(surfaces)
  const named = new Map<string, ProjectNode>(sources.map(({ node }) => [node.slug, node]))
  const files = new Set(named.keys())
  const mentions = new Map<string, { from: string; to: string; count: number }>()
  const mention = (from: string, to: string): void => {
    const key = `${from}\n${to}`
    mentions.set(key, { from, to, count: (mentions.get(key)?.count ?? 0) + 1 })
  }
  for (const { node, text } of sources) {
    for (const [path] of text.matchAll(pathForm)) {
      const surface = find(path)
      if (surface === undefined) continue
      const target = surfaceNode(surface)
      named.set(target.slug, target)
      mention(node.slug, target.slug)
    }
    for (const [word] of text.matchAll(fileForm)) {
      const corpus = /^(corpora\/[a-z0-9-]+)/.exec(word)?.[1] ?? word
      if (files.has(corpus)) mention(node.slug, corpus)
    }
  }
  for (const corpus of corpora)
    for (const to of referredTo(corpus.schema as JsonValue)) if (files.has(to)) mention(`corpora/${corpus.name}`, to)
  const edges = [...mentions.values()].flatMap(({ from, to, count }): Edge[] => {
    if (from === to) return [{ from, to, kind: 'recurses_to', mentions: count }]
    const back = mentions.get(`${to}\n${from}`)
    if (back === undefined) return [{ from, to, kind: 'references', mentions: count }]
    return from < to ? [{ from, to, kind: 'sister', mentions: count + back.count }] : []
  })
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return {
    nodes: [...named.values()].sort((a, b) => order(a.slug, b.slug)),
    edges: edges.sort((a, b) => order(`${a.from}\n${a.to}`, `${b.from}\n${b.to}`))
  }
}

const countKinds = <Kind extends string>(items: readonly Readonly<{ kind: Kind }>[], kinds: readonly Kind[]) =>
  Object.fromEntries(kinds.map(kind => [kind, items.filter(item => item.kind === kind).length])) as Record<Kind, number>

type Served = Readonly<{
  corpora: ReadonlyMap<string, Corpus>
  surfaces: readonly Readonly<{ id: string; route: Readonly<{ path: string }>; summary: string }>[]
}>

/** Returns the graph as a document. `reasoned` is the path of the graph that gives reasons. */
export function connectionsOf(project: readonly ProjectText[], { corpora, surfaces: all }: Served, reasoned: string) {
  const surfaces = all.map(({ id, route, summary }) => ({ id, path: route.path, description: summary }))
  const { nodes, edges } = joinFiles(project, [...corpora.values()], surfaces)
  return {
    extraction_heuristic: {
      documents: 'Markdown files that came with the installation: at the top, and beside code, manifests and corpora.',
      references:
        'A text that names a file, a corpus or a path of this service; a schema that says which corpus its entries refer to.',
      sister: 'Two that name each other. One edge stands for both directions.',
      recurses_to: 'One that names itself.',
      note: `Read from the files when it is first asked for. It says who names whom, and not why; the reasoned graph is at ${reasoned}.`
    },
    node_count: nodes.length,
    edge_count: edges.length,
    node_kinds: countKinds(nodes, nodeKinds),
    edge_kinds: countKinds(edges, edgeKinds),
    nodes,
    edges
  }
}
