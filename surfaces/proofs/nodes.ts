import { closed, Count, Text } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { hashOfRange, wholeNodes, type MerkleNode, type Place, type Range } from './merkle.ts'

const NodeRow = closed({ level: Count, index: Count, hash: Text })

const nameOf = ({ level, index }: Place): string => `${level}/${index}`

/** Reads stored subtrees of an epoch's tree, in the order of `places`; a missing one has an empty hash. */
export async function readNodes(
  rows: Database['rows'],
  knex: Knex,
  epoch: number,
  places: readonly Place[]
): Promise<readonly MerkleNode[]> {
  const found = await rows(
    NodeRow,
    knex.raw(
      'select level, index, n.hash from proof_nodes n join jsonb_to_recordset(?::jsonb) as p(level int, index bigint) using (level, index) where n.epoch = ?',
      [JSON.stringify(places), epoch]
    )
  )
  const byName = new Map(found.map(node => [nameOf(node), node]))
  return places.map(place => byName.get(nameOf(place)) ?? { ...place, hash: '' })
}

export async function storeNodes(knex: Knex, epoch: number, nodes: readonly MerkleNode[]): Promise<void> {
  await knex.raw(
    'insert into proof_nodes (epoch, level, index, hash) select ?::int, level, index, hash from jsonb_to_recordset(?::jsonb) as n(level int, index bigint, hash text)',
    [epoch, JSON.stringify(nodes)]
  )
}

/** Returns the hashes of the ranges in a proof. */
export async function hashesOf(
  { rows, knex }: Pick<Database, 'knex' | 'rows'>,
  epoch: number,
  ranges: readonly Range[]
): Promise<string[]> {
  const nodes = await readNodes(rows, knex, epoch, ranges.flatMap(wholeNodes))
  const byName = new Map(nodes.map(({ hash, ...place }) => [nameOf(place), hash]))
  return ranges.map(range => hashOfRange(range, place => byName.get(nameOf(place)) ?? ''))
}
