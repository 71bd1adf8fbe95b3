import type { VNode } from 'pantry/page'

type Link = Readonly<{ label: string; href: string }>

/** Where to read on. What leads to data says so. */
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
