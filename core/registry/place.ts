import { isObject, type JsonValue } from '../canonical/json.ts'
import { memoize } from '../canonical/work.ts'
import {
  isOfOrigin,
  matchesRoute,
  movedPath,
  movedTarget,
  parseSegments,
  type Route,
  type Segment
} from '../manifest/paths.ts'
import type { Surface } from '../manifest/surface.ts'
import type { RecordedAnswers } from './recorded-answers.ts'
import type { RecordedNames } from './recorded-names.ts'
import type { Registry } from './registry.ts'

/** Returns a route below `base`. What belongs to the origin stays there, and has a second path below `base`. */
function movedRoute(base: string, { path, placeholders, methods, aliases }: Route): Route {
  const others = [...aliases.map(alias => movedPath(base, alias.path)), ...(isOfOrigin(path) ? [base + path] : [])].map(
    alias => ({ path: alias, segments: parseSegments(alias) })
  )
  const moved = movedPath(base, path)
  return { path: moved, segments: parseSegments(moved), placeholders, methods, aliases: others }
}

const movedSurface =
  (base: string) =>
  (surface: Surface): Surface => {
    const { route, page } = surface
    return {
      ...surface,
      route: movedRoute(base, route),
      ...(page === undefined
        ? {}
        : {
            page: {
              ...page,
              shows: page.shows.map(target => movedTarget(base, target)),
              besides: page.besides.map(target => movedTarget(base, target)),
              ...(page.sends === undefined ? {} : { sends: movedTarget(base, page.sends) })
            }
          })
    }
  }

/** Returns a surface whose examples ask the paths that are served, and expect them in answers. */
const withMovedExamples =
  (base: string, place: Place) =>
  (surface: Surface): Surface => ({
    ...surface,
    examples: surface.examples.map(({ url, expect, ...example }) => ({
      ...example,
      url: movedPath(base, url),
      expect: {
        status: expect.status,
        shows: Object.fromEntries(
          Object.entries(expect.shows).map(([pointer, value]) => [pointer, changeTexts(value, place)])
        )
      }
    }))
  })

const movedNames = (base: string, names: RecordedNames): RecordedNames =>
  Object.fromEntries(
    Object.entries(names).map(([name, recorded]) => [name, { ...recorded, path: movedPath(base, recorded.path) }])
  )

/** Applies `change` to every text of a JSON value, but not to the names of members. */
function changeTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(item => changeTexts(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changeTexts(member, change)]))
}

const originMark = '$origin'

/** Returns the recorded answers with the paths of the service in their keys and texts moved. */
function movedAnswers(base: string, answers: RecordedAnswers, place: Place): RecordedAnswers {
  const change = (text: string): string =>
    text.startsWith(originMark) ? originMark + place(text.slice(originMark.length)) : place(text)
  return Object.fromEntries(
    Object.entries(answers).map(([key, answer]) => [
      key.replace(/(?<= )\/.*$/s, url => movedPath(base, url)),
      changeTexts(answer, change)
    ])
  )
}

const mapLists = ({ surfaces, forms }: Registry, change: (surface: Surface) => Surface) => ({
  surfaces: Object.freeze(surfaces.map(change)),
  forms: Object.freeze(forms.map(change))
})

/**
 * Returns the registry of a service below a path such as `/pantry`, which is the one place where paths of manifests
 * gain it: the routes, and everything that is made of them, begin with `base`. So requests are found with the path that
 * a client sends, and no request costs more.
 */
export function movedRegistry(from: Registry, base: string): Registry {
  const routed = { ...from, moved: { base, from }, ...mapLists(from, movedSurface(base)) }
  const place = placeOf(routed)
  const { surfaces, forms } = mapLists(routed, withMovedExamples(base, place))
  const { service, names, answers } = from
  const { mcp } = service.agents
  return Object.freeze({
    ...routed,
    service: {
      ...service,
      agents: { ...service.agents, mcp: { ...mcp, endpoint: mcp.endpoint === null ? null : base + mcp.endpoint } }
    },
    surfaces,
    forms,
    byId: new Map(surfaces.map(surface => [surface.id, surface])),
    ...(names === undefined ? {} : { names: movedNames(base, names) }),
    answers: movedAnswers(base, answers, place)
  })
}

/** Returns a path or URL with what it is below; a path that the service does not have as it is. */
export type Place = (target: string) => string

/**
 * Returns a function that completes paths which were written without the path that the service is under, such as in a
 * view or a text: `/guides?q=a` becomes `/pantry/guides?q=a` if no surface answers the former, and one the latter.
 */
export const placeOf = memoize(({ moved, surfaces, forms }: Registry): Place => {
  if (moved === undefined) return target => target
  const routes = new Map<number, (readonly Segment[])[]>()
  for (const { route } of [...surfaces, ...forms])
    for (const { segments } of [route, ...route.aliases])
      routes.set(segments.length, [...(routes.get(segments.length) ?? []), segments])
  const isServed = (path: string): boolean => {
    const segments = parseSegments(path)
    return (routes.get(segments.length) ?? []).some(route => matchesRoute(segments, route))
  }
  return target => {
    if (!target.startsWith('/') || target.startsWith('//')) return target
    const end = target.search(/[?#]/)
    const [path, rest] = end === -1 ? [target, ''] : [target.slice(0, end), target.slice(end)]
    if (isServed(path) || isServed(`${path}/`)) return target
    const below = moved.base + path
    return isServed(below) || isServed(`${below}/`) ? below + rest : target
  }
})

/** Returns the paths of a service below a path that clients ask the whole origin for. */
export const originPathsOf = ({ moved, surfaces }: Registry): readonly string[] =>
  moved === undefined ? [] : surfaces.map(({ route }) => route.path).filter(isOfOrigin)
