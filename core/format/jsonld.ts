import type { FormatModule, View } from './format.ts'

/**
 * JSON-LD 1.1 with the vocabulary of schema.org: only what every document has. A surface that has more gives a
 * rendering of its own.
 */
export const jsonld: FormatModule = {
  mediaType: 'application/ld+json; charset=utf-8',
  accepts: ['application/ld+json'],
  of: ['object'],
  render: ({ title, summary, url, service, origin }: View) =>
    JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'CreativeWork',
      '@id': url,
      name: title,
      description: summary,
      url,
      publisher: { '@type': 'Organization', name: service, url: origin }
    })
}
