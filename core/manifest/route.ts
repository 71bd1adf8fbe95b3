import type { Method } from '../vocabulary/words.ts'

/** One part of a path: literal text, or the name of a placeholder that matches exactly one segment. */
export type Segment = Readonly<{ literal: string } | { placeholder: string }>

export type Route = Readonly<{
  /** As written in the manifest: `/a/{b}/c`. */
  path: string
  segments: readonly Segment[]
  placeholders: readonly string[]
  methods: readonly Method[]
  /** Other paths with the same placeholders. */
  aliases: readonly Readonly<{ path: string; segments: readonly Segment[] }>[]
}>

/**
 * Returns the segments of a path that `pathForm` has checked. The last segment of `/a/` is an empty literal.
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
