import ts from 'typescript'
import { Dice } from '../support/malformed.ts'
import type { SourceCode } from '../support/source-code.ts'

export type Comment = Readonly<{ file: string; line: number; text: string }>

/**
 * The comments of a file, whole: lines that begin with `//` and follow each other are one. They are sought before each
 * token, so that nothing in a text, a pattern or an element is taken for one.
 */
export function commentsOf({ file, text }: Pick<SourceCode, 'file' | 'text'>): readonly Comment[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true)
  const found = new Map<number, Readonly<{ end: number; isLine: boolean }>>()
  const visit = (node: ts.Node): void => {
    const parts = node.getChildren(source).filter(part => !ts.isJSDoc(part))
    for (const part of parts) visit(part)
    if (parts.length > 0 || ts.isJsxText(node)) return
    const before = node.getFullStart()
    for (const { pos, end, kind } of [
      ...(ts.getTrailingCommentRanges(text, before) ?? []),
      ...(ts.getLeadingCommentRanges(text, before) ?? [])
    ])
      found.set(pos, { end, isLine: kind === ts.SyntaxKind.SingleLineCommentTrivia })
  }
  visit(source)
  const wholes: { pos: number; end: number; isLine: boolean }[] = []
  for (const [pos, { end, isLine }] of [...found].sort(([one], [other]) => one - other)) {
    const last = wholes.at(-1)
    if (last?.isLine === true && isLine && /^\n[ \t]*$/.test(text.slice(last.end, pos))) last.end = end
    else wholes.push({ pos, end, isLine })
  }
  return wholes.map(({ pos, end }) => {
    const { line, character } = source.getLineAndCharacterOfPosition(pos)
    // The lines of a block keep what they have beyond its first one.
    const own = text.slice(pos, end).replaceAll(new RegExp(`^ {0,${character}}`, 'gm'), '')
    return { file, line: line + 1, text: own }
  })
}

function draw<T>(all: readonly T[], count: number, dice: Dice): readonly T[] {
  const left = [...all]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(dice.below(left.length), 1)).flat()
}

/** So many comments, the larger half of them from `core/`: the same seed draws the same. */
export function drawComments(files: readonly SourceCode[], count: number, seed: number): readonly Comment[] {
  const dice = new Dice(seed)
  const all = files.flatMap(commentsOf)
  const isCore = ({ file }: Comment): boolean => file.startsWith('core/')
  const half = Math.ceil(count / 2)
  return [
    ...draw(all.filter(isCore), half, dice),
    ...draw(
      all.filter(one => !isCore(one)),
      count - half,
      dice
    )
  ]
}

/** A list in Markdown, each comment with its place before it. */
export const commentList = (comments: readonly Comment[], seed: number): string =>
  [
    `# ${comments.length} comments, drawn by the seed ${seed}`,
    ...comments.map(
      ({ file, line, text }, at) => `${at + 1}. \`${file}:${line}\`\n\n${text.replaceAll(/^/gm, ' '.repeat(8))}`
    )
  ].join('\n\n')
