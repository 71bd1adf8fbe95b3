import type { VNode } from 'pantry/page'

type Link = Readonly<{ label: string; href: string }>

/** Links for further reading; those to data are marked as JSON. */
export const ReadMore = ({ links }: Readonly<{ links: readonly Link[] }>): VNode | null =>
  links.length === 0 ? null : (
    <section>
      <h2>Read on</h2>
      <ul>
        {links.map(({ label, href }) => (
          <li>
            <a href={href}>{label}</a>
            {href.startsWith('/api/') ? ' (JSON)' : ''}
          </li>
        ))}
      </ul>
    </section>
  )
