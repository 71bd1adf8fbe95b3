import type { Site } from '../../core/format/format.ts'
import { english } from '../../core/vocabulary/language.ts'

/** What the pages of a made-up service have in common. */
export const site: Site = {
  name: 'A <service>',
  language: english,
  summary: 'It is made up & small.',
  origin: 'https://library.example',
  home: '/',
  menu: [{ label: 'Books & more', path: '/books' }],
  footer: [],
  feeds: [{ label: 'News & notes', path: '/news?format=atom' }],
  pathOf: () => undefined,
  asset: name => `/assets/${name}`
}
