import { accessMeaning, accessOf, admitsEveryone } from '../access/index.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { isPaused, surfacePathOf } from './pointers.ts'

/** Returns a sentence that says since when and why a surface is deprecated; an empty text for other surfaces. */
export function deprecationNote({ deprecation }: Surface, registry: Registry): string {
  if (deprecation === undefined) return ''
  const { date, sunset, reason } = deprecation
  const successor = surfacePathOf(registry, deprecation.successor)
  const end = sunset === undefined ? '' : `, ends on ${sunset}`
  return `Deprecated since ${date}${end}: ${reason}${successor === null ? '' : ` Use ${successor}.`}`
}

const maxTitles = 6

/** Returns what a tag is about: its meaning in `service.yaml`, or else titles of its surfaces. */
export function tagMeaning({ service, surfaces }: Registry, tag: string): string {
  const titles = [...new Set(surfaces.filter(({ tags }) => tags.includes(tag)).map(({ title }) => title))]
  const more = titles.length > maxTitles ? `; and ${titles.length - maxTitles} more.` : '.'
  return service.tags[tag]?.meaning ?? titles.slice(0, maxTitles).join('; ') + more
}

/** Shortens a text to at most `most` characters: it is cut between two words and ends in `…`. */
export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/\s+\S*$/, '')}…`

/** Returns the warnings about a surface: that it is deprecated, that it is paused, that not everyone may call it. */
const warningsOn = (surface: Surface, registry: Registry): readonly string[] =>
  [
    deprecationNote(surface, registry),
    isPaused(surface) ? 'Paused: answers 503 with a status document and no data.' : '',
    admitsEveryone(surface.access)
      ? ''
      : `Not public: it is for ${accessMeaning(surface.access, accessOf(registry.service, surface))}.`
  ].filter(note => note !== '')

export const notesOn = (surface: Surface, registry: Registry): readonly string[] =>
  [
    ...warningsOn(surface, registry),
    surface.description === surface.summary ? '' : surface.description.trim(),
    surface.doesNotInclude.length === 0 ? '' : `Does not include: ${surface.doesNotInclude.join(' ')}`,
    `Freshness budget ${surface.freshness.seconds} seconds, license ${surface.license}.`
  ].filter(note => note !== '')

export const inShort = (surface: Surface, registry: Registry): string =>
  [surface.summary.trim(), ...warningsOn(surface, registry)].join(' ')
