import type { VNode } from 'pantry/page'
import type { Look } from './candidate.ts'

/** Lists where an answer can be found, as links where there is a URL. */
export const Looks = ({ of }: Readonly<{ of: readonly Look[] }>): VNode => (
  <ul>
    {of.map(({ what, url }) => (
      <li>
        {url === null ? (
          what
        ) : (
          <a href={url} rel={url.startsWith('/') ? undefined : 'nofollow noopener noreferrer'}>
            {what}
          </a>
        )}
      </li>
    ))}
  </ul>
)
