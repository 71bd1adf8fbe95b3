/** Lateral to an observation `o`: since which run it is seen under its SKU, and whether it still is. */
export const sighted = `
  lateral (
    select least(o.from_run, min(from_run)) as since, o.from_run is not null as is_seen
    from sightings where source = o.source and native_id = o.native_id and sku = o.sku
  ) s`

/**
 * Which of several observations `o`, each with its `sighted` as `s`, speaks first: what its upstream still says before what has vanished
 * there, then who came first. Byte order, so that every server answers alike.
 */
export const precedence = 's.is_seen desc, s.since, o.source collate "C", o.native_id collate "C"'
