import { accessMeaning, accessTable, admitsEveryone } from '../access/index.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { deprecationNote } from './deprecated.ts'
import { isPaused } from './pointers.ts'

/** A text of at most so many characters, cut between two words. */
export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/\s+\S*$/, '')}…`

/** What must be known before a surface is used: that it should not be, and who may. */
const warningsOn = (surface: Surface, registry: Registry): readonly string[] =>
  [
    deprecationNote(surface, registry),
    isPaused(surface) ? 'Paused: answers 503 with a status document and no data.' : '',
    admitsEveryone(surface.access)
      ? ''
      : `Not public: it is for ${accessMeaning(surface.access, accessTable(registry.service.access))}.`
  ].filter(note => note !== '')

/**
 * What is worth knowing of a surface beyond its summary: when not to use it, who may call it, what it leaves out, how
 * fresh it is and its license.
 */
export const notesOn = (surface: Surface, registry: Registry): readonly string[] =>
  [
    ...warningsOn(surface, registry),
    surface.description === surface.summary ? '' : surface.description.trim(),
    surface.doesNotInclude.length === 0 ? '' : `Does not include: ${surface.doesNotInclude.join(' ')}`,
    `Freshness budget ${surface.freshness.seconds} seconds, license ${surface.license}.`
  ].filter(note => note !== '')

/** A surface in a sentence, and what must be known of it. */
export const inShort = (surface: Surface, registry: Registry): string =>
  [surface.summary.trim(), ...warningsOn(surface, registry)].join(' ')
