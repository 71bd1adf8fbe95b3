import { isValidElement } from 'preact'
import type { PageContent } from '../../handler/page.ts'
import type { Surface } from '../../manifest/surface.ts'
import { ReplyFault } from '../../plan/exact.ts'
import type { PageAnswer } from './manifest.ts'

/** What a view may return, by member. */
const members: Readonly<Record<string, readonly [is: (value: unknown) => boolean, what: string]>> = {
  seeOther: [value => typeof value === 'string', 'the path to redirect to, as a text'],
  title: [value => typeof value === 'string', 'a text'],
  description: [value => value === undefined || typeof value === 'string', 'a text, or is left out'],
  main: [isValidElement, 'an element, such as `<p>…</p>`'],
  scripts: [
    value => value === undefined || (Array.isArray(value) && value.every(name => typeof name === 'string')),
    'a list of names of scripts, or is left out'
  ],
  crumbs: [value => value === undefined || Array.isArray(value), 'a list of `{ label, path }`, or is left out'],
  sharing: [
    value => value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value)),
    'an object with `canonical`, `isIndexed`, `about` or `picture`, or is left out'
  ],
  refusedBy: [
    value => value === undefined || typeof value === 'string',
    'the name of a surface under `besides`, or is left out'
  ]
}

/** Returns what is wrong with what a view returned; `undefined` if nothing is. */
function problemOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    return `a view returns an object with \`title\` and \`main\`, or with \`seeOther\`, and it returned ${content === null ? 'null' : `a ${Array.isArray(content) ? 'list' : typeof content}`}`
  const names = 'seeOther' in content ? ['seeOther'] : Object.keys(members).filter(name => name !== 'seeOther')
  const values = content as Readonly<Record<string, unknown>>
  const wrong = names.find(name => members[name]?.[0](values[name]) === false)
  return wrong === undefined ? undefined : `\`${wrong}\` is ${members[wrong]?.[1]}`
}

/** Returns what a view returned. Throws a ReplyFault that names its file and the member if that is no content. */
export function requireContent({ answer: { code } }: Surface<PageAnswer>, content: PageContent): PageContent {
  const problem = problemOf(content)
  if (problem === undefined) return content
  throw new ReplyFault(`surfaces/handlers/${code}: ${problem}.`)
}

/** Returns the fault of a page that shows an answer which is neither shown nor an error, such as a redirect. */
export const unshown = ({ origin }: Surface, name: string, path: string, status: number): ReplyFault =>
  new ReplyFault(
    `${origin.file}: \`shows.${name}\` asks ${path}, which answered ${status}. A page shows answers with status 200; what may have another belongs under \`besides\`.`
  )
