import type { Segment } from './surface.ts'

/**
 * Returns the segments of a path that `rules/path-form.ts` has checked. The last segment of `/a/` is an empty literal.
 */
export const parseSegments = (path: string): Segment[] =>
  path
    .split('/')
    .slice(1)
    .map(part => {
      const placeholder = /^\{(.+)\}$/.exec(part)?.[1]
      return placeholder === undefined ? { literal: part } : { placeholder }
    })

export const placeholdersOf = (path: string): string[] =>
  parseSegments(path).flatMap(segment => ('placeholder' in segment ? [segment.placeholder] : []))

/** Returns the path without the names of its placeholders. Paths with equal shapes match the same requests. */
export const routeShape = (path: string): string => path.replaceAll(/\{[^/{}]*\}/g, '{}')
