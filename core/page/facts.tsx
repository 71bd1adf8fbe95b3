import type { ComponentChildren, VNode } from 'preact'

/** A list of names and values. A null or undefined value is displayed as "not given"; a line with false is left out. */
export const Facts = ({ of }: Readonly<{ of: Readonly<Record<string, ComponentChildren>> }>): VNode => (
  <dl class="facts">
    {Object.entries(of)
      .filter(([, value]) => value !== false)
      .map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value ?? <span class="none">not given</span>}</dd>
        </>
      ))}
  </dl>
)
