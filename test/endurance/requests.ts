import type { Surface } from '../../core/manifest/surface.ts'
import type { Dice } from '../support/malformed.ts'
import type { Sent } from './client.ts'

/** The published examples of a surface, as requests. */
export const examplesOf = ({ id, examples }: Surface): readonly Sent[] =>
  examples.map(({ method, url, headers, content }) => ({
    surface: id,
    method,
    target: url,
    headers: { ...headers, ...(content === undefined ? {} : { 'Content-Type': content.type }) },
    ...(content === undefined ? {} : { body: content.text })
  }))

const types = [
  '*/*',
  'text/html',
  'application/json',
  'application/ld+json',
  'image/svg+xml',
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/atom+xml',
  'application/x-ndjson',
  'image/png',
  'text/*',
  'a/b',
  ';',
  'text/html;level=1'
] as const
const codings = [
  'gzip',
  'br',
  'identity',
  'gzip, br',
  'br;q=1, gzip;q=0.5',
  'identity;q=0',
  '*',
  'deflate',
  'x'
] as const
const values = [
  '',
  '1',
  '0',
  '-1',
  '50',
  '9999999',
  'true',
  'a',
  'luffy',
  'json',
  'html',
  'csv',
  'en',
  'ja',
  '%F0%9F%83%8F',
  '%00',
  '..',
  'name',
  '2026-11-20'
] as const

const word = (dice: Dice): string => (dice.below(2 ** 31) + 2 ** 31).toString(36)

function randomQuery({ input }: Surface, dice: Dice): string {
  const declared = Object.keys((input.query as { properties?: Record<string, unknown> }).properties ?? {})
  const pair = (): string =>
    declared.length > 0 && dice.below(2) === 0
      ? `${dice.of(declared)}=${dice.of([...values, word(dice)])}`
      : `${word(dice)}=${word(dice)}`
  return Array.from({ length: 1 + dice.below(3) }, pair).join('&')
}

function randomPath(path: string, dice: Dice): string {
  const segments = path.split('/')
  return dice.below(2) === 0
    ? `${path}/${word(dice)}`
    : segments.with(1 + dice.below(segments.length - 1), word(dice)).join('/')
}

const randomHeaders = (dice: Dice): Record<string, string> => ({
  ...(dice.below(3) > 0
    ? {
        Accept:
          dice.below(4) === 0
            ? `${word(dice)}/${word(dice)}`
            : Array.from({ length: 1 + dice.below(3) }, () => `${dice.of(types)};q=0.${1 + dice.below(9)}`).join(', ')
      }
    : {}),
  ...(dice.below(2) === 0 ? { 'Accept-Encoding': dice.of(codings) } : {}),
  ...(dice.below(4) === 0 ? { 'Accept-Language': `${dice.of(['de', 'ja', 'fr', 'zz', word(dice)])};q=0.8` } : {})
})

/** Counts what was sent to a path that no surface has. */
export const nowhere = '(random paths)'

/**
 * One request of the hostile hour: an example of the surface with a random query, random fields, and now and then a
 * random path.
 */
export function hostileRequest(surface: Surface, dice: Dice): Sent {
  const all = examplesOf(surface)
  const example =
    all.length === 0 ? { surface: surface.id, method: 'GET', target: surface.route.path, headers: {} } : dice.of(all)
  const [path = '', query = ''] = example.target.split('?')
  const lost = dice.below(8) === 0
  const search = dice.below(4) === 0 ? query : [query, randomQuery(surface, dice)].filter(text => text !== '').join('&')
  return {
    ...example,
    surface: lost ? nowhere : surface.id,
    method:
      example.method === 'GET' && dice.below(12) === 0 ? dice.of(['HEAD', 'OPTIONS', 'DELETE', 'PUT']) : example.method,
    target: `${lost ? randomPath(path, dice) : path}${search === '' ? '' : `?${search}`}`,
    headers: { ...example.headers, ...randomHeaders(dice) }
  }
}
