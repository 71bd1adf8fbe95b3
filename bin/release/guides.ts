import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A link of Markdown to a file: its label, the path, and the place in the file. */
const link = /\[((?:[^\]\\]|\\.)+)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)/g

const guide = /^(?:docs\/[\w-]+|core\/REFERENCE)\.md$/

/**
 * Returns the README of the package and the guides that it links to, by their paths in the package. A link to a file
 * that the package does not have becomes its label.
 */
export function packagedGuides(folder: string, readme: string): ReadonlyMap<string, string> {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const targetIn = (file: string, path: string): string => posix.join(dirname(file), path)
  const text = read(readme)
  const guides = [...text.matchAll(link)]
    .map(([, , path = '']) => targetIn(readme, path))
    .filter(one => guide.test(one))
  const relinked = (file: string, to: string): string =>
    read(file).replaceAll(link, (_, label: string, path: string, place = '') => {
      const target = targetIn(file, path)
      return guides.includes(target) ? `[${label}](${posix.relative(dirname(to), target)}${place})` : label
    })
  return new Map([
    ['README.md', relinked(readme, 'README.md')],
    ...guides.map(one => [one, relinked(one, one)] as const)
  ])
}
