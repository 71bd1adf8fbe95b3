/** The last run of each source that is valid or is being made; one binding, the current run. */
export const latestRuns = "select source, max(id) as run from runs where status = 'succeeded' or id = ?::bigint group by source"

/**
 * Which of several observations `o` speaks first, with `l` the latest runs: what its upstream still says before what has vanished
 * there, then who came first. Byte order, so that every server answers alike.
 */
export const precedence = '(o.last_run = l.run) desc, o.first_run, o.source collate "C", o.native_id collate "C"'
