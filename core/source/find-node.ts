import type { Node } from 'yaml'
import type { Pointer } from './source-file.ts'
import { yaml } from './yaml.ts'

/** Returns the node at a pointer and its key; if it does not exist, the nearest existing parent. */
export function findNode(
  root: unknown,
  pointer: Pointer
): { key: Node | undefined; node: Node | undefined; isExact: boolean } {
  const { isMap, isScalar, isSeq } = yaml()
  let node = root as Node | undefined
  let key: Node | undefined
  for (const token of pointer) {
    const pair = isMap(node)
      ? node.items.find(item => isScalar(item.key) && item.key.value === String(token))
      : undefined
    const child =
      pair === undefined && isSeq(node) && typeof token === 'number'
        ? (node.items[token] as Node | undefined)
        : undefined
    if (pair === undefined && child === undefined) return { key, node, isExact: false }
    key = pair === undefined ? child : (pair.key as Node)
    node = pair === undefined ? child : ((pair.value ?? pair.key) as Node)
  }
  return { key, node, isExact: true }
}

/**
 * Returns the node to mark: of a mapping or list the first key or item, because its whole text could be half the file.
 */
export function head(node: Node): Node {
  const { isMap, isSeq } = yaml()
  const first = isMap(node)
    ? (node.items[0]?.key as Node | undefined)
    : isSeq(node)
      ? (node.items[0] as Node | undefined)
      : undefined
  return first === undefined ? node : head(first)
}
