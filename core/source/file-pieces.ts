import { closeSync, openSync, readSync } from 'node:fs'

const pieceSize = 65_536

/**
 * Yields the bytes of a file from offset `from` to before `to`, in pieces of at most 64 KiB, so that a file of any size
 * needs the memory of one piece only.
 */
export function* filePieces(path: string, from = 0, to = Infinity): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    for (let at = from; at < to;) {
      const piece = Buffer.allocUnsafe(Math.min(pieceSize, to - at))
      const length = readSync(file, piece, 0, piece.length, at)
      if (length === 0) return
      yield piece.subarray(0, length)
      at += length
    }
  } finally {
    closeSync(file)
  }
}
