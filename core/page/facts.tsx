import type { ComponentChildren, VNode } from 'preact'

/**
 * What is known of one thing, by names. What is null or undefined is said to be not given; false leaves the line out.
 */
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
