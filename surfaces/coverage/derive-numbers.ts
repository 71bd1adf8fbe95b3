import type { Projection } from '../catalogue/projection.ts'

/**
 * Recomputes, for these games, which whole numbers of each set were seen and which are missing between them. Called
 * within an import, after cards and sets are written.
 */
export const deriveNumbers: Projection = async (transaction, games) => {
  await transaction.raw('delete from set_numbers where set_id in (select id from sets where game = any(?))', [
    [...games]
  ])
  await transaction.raw(
    `
    insert into set_numbers (set_id, lowest, highest, unseen, gaps)
    select set_id, min(number), max(number), coalesce(sum(number - before - 1), 0), coalesce(jsonb_agg(jsonb_build_array(before + 1, number - 1) order by number) filter (where number - before > 1), '[]')
    from (select set_id, number, lag(number) over (partition by set_id order by number) as before
      from (select distinct set_id, split_part(number_key, ':', 2)::int as number from cards where game = any(?) and number_key ~ ':[0-9]{1,4}$') n) l group by set_id`,
    [[...games]]
  )
}
