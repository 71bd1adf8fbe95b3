/** A gallery whose feed is read, as the corpus `partner-galleries` declares it. */
export type Partner = Readonly<{
  id: string
  name: string
  /** Origin of the gallery, without a slash at its end. */
  canonical_url: string
  feed_url: string
  /** Ids by which the partner names its sources; the first one is that of the feed. */
  source_ids: readonly string[]
}>
