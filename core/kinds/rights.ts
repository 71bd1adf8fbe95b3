import type { Service } from '../manifest/service.ts'

/** Words of `service.yaml` that a new manifest can use together without an error. */
export type Words = Readonly<{ license: string; source: string; freshness: string }>

const anHour = 3600

/**
 * Returns a source and a license tier that one surface may have together (`tier` if the content has one already), and
 * the freshness key nearest to an hour.
 */
export function wordsOf({ tiers, sources, freshness }: Service, tier?: string): Words {
  const labels = Object.entries(sources)
  const isOpen = (license: string): boolean => tiers[license]?.open === true
  const [source = '', { license: own } = { license: '' }] =
    (tier === undefined ? undefined : labels.find(([, { license }]) => license === tier)) ??
    labels.find(([, { license }]) => isOpen(license)) ??
    labels[0] ??
    []
  const closed = Object.keys(tiers).find(name => !isOpen(name))
  const license = tier ?? (own in tiers ? own : (closed ?? Object.keys(tiers)[0] ?? ''))
  const [key = ''] = Object.entries(freshness)
    .sort(([, a], [, b]) => Math.abs(a.seconds - anHour) - Math.abs(b.seconds - anHour))
    .map(([name]) => name)
  return { license, source, freshness: key }
}
